// Keeps the files of the page, so that it works without a network after the first visit: FILES at once,
// all others when they are first asked for. A new version is fetched whole, and takes over when the page
// is opened again.
/* global FILES, VERSION */
const NAME = `gamedsl-playground-${VERSION}`;

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith("gamedsl-playground-") && name !== NAME) await caches.delete(name);
    }
    await self.clients.claim();
  })());
});

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  event.respondWith((async () => {
    const cache = await caches.open(NAME);
    const kept = await cache.match(event.request, { ignoreSearch: true });
    if (kept) return kept;
    const response = await fetch(event.request);
    if (response.ok && new URL(event.request.url).origin === location.origin) await cache.put(event.request, response.clone());
    return response;
  })());
});

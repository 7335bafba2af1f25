// Search on pages opened as files: browsers start no worker from a file, so the script of the
// search runs in a hidden frame instead. Loaded before the theme's script; does nothing on a server.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      const script = document.createElement("script");
      script.src = new URL(address, location);
      this.ready = new Promise((resolve) => {
        frame.addEventListener("load", () => {
          const inside = frame.contentWindow;
          inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
          inside.importScripts = () => undefined; // languages other than English
          script.addEventListener("load", () => resolve(inside));
          inside.document.head.append(script);
        }, { once: true });
      });
      frame.srcdoc = "<!doctype html><title>search</title>";
      document.documentElement.append(frame);
    }

    async postMessage(data) {
      const inside = await this.ready;
      inside.dispatchEvent(new inside.MessageEvent("message", { data }));
    }

    terminate() {}
  };
}

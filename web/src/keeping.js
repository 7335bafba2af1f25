// What the browser keeps for this page; some keep nothing, and then nothing is kept.

export function kept(name) {
  try {
    return localStorage.getItem(`gamedsl-${name}`);
  } catch {
    return null;
  }
}

export function keep(name, value) {
  try {
    localStorage.setItem(`gamedsl-${name}`, value);
  } catch { /* it is gone when the page is closed */ }
}

// What was given and the server does not hold yet, kept in this browser: one entry for each question of a sitting.
// A browser may refuse to keep anything; then there is nothing kept.

const place = (sitting, position) => `sitting:${sitting}:${position}`;

// Returns whether it is kept.
export function keep(sitting, position, value) {
  try {
    localStorage.setItem(place(sitting, position), JSON.stringify(value));
    return true;
  } catch {
    return false;
  }
}

export function kept(sitting, position) {
  try {
    return JSON.parse(localStorage.getItem(place(sitting, position)));
  } catch {
    return null;
  }
}

export function forget(sitting, position) {
  try { localStorage.removeItem(place(sitting, position)); } catch { /* nothing was kept */ }
}

// Returns the positions of which something is kept, in order.
export function positions(sitting) {
  try {
    const before = place(sitting, "");
    const found = Object.keys(localStorage).filter((key) => key.startsWith(before));
    return found.map((key) => Number(key.slice(before.length))).sort((one, other) => one - other);
  } catch {
    return [];
  }
}

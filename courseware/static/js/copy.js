// Copies a text at a press. Where a browser gives pages no clipboard, as without https, there is no button.

for (const line of document.querySelectorAll("[data-copy]")) {
  const [button, status] = line.children;
  line.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(line.dataset.copy);
      status.textContent = "Copied.";
    } catch {
      status.textContent = "The browser did not let it be copied. Select it above instead.";
    }
  });
}

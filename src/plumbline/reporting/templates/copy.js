for (const button of document.querySelectorAll("button.copy")) {
  const words = button.textContent;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const text = button.dataset.rows;
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = words; }, 1500);
  });
}

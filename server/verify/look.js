// Applies the theme that the person chose in the app on this device, before anything is painted. Without a choice the page follows the device.
const THEMES = ['light', 'dark', 'outdoor']
try {
  const { theme } = JSON.parse(localStorage.getItem('walkdown.looks') ?? '{}')
  if (THEMES.includes(theme)) document.documentElement.dataset.theme = theme
} catch {
  // nothing is stored that can be read
}

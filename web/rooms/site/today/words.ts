/** Texts of the first page. */
export const words = {
  'nav.today': 'Today',
  'today.kiosk': 'Full screen for the site office',
} as const

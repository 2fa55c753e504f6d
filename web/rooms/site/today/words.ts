/** Texts of the first page. */
export const words = {
  'nav.today': 'Today',
  'today.kiosk': 'Full screen for the site office',
  'today.updated': 'Updated {time}',
} as const

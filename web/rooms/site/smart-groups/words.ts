/** Texts of the smart groups that the app needs before their pages are loaded. */
export const words = {
  'groups.title': 'Smart groups',
} as const

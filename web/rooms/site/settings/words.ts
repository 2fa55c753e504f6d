/** Texts of the settings that are needed before one of their pages is loaded. */
export const words = {
  'nav.settings': 'Settings',
  'settings.all_types': 'All types',
  'policy.nominee_user_id': 'Nominee',
  'policy.deputy_nominee_user_id': 'Deputy',
} as const

/** Texts of the clash rules that the app needs before their pages are loaded. */
export const words = {
  'clash.title': 'Clash rules',
} as const

/** Texts of the import that are needed before its page is loaded. */
export const words = {
  'nav.import': 'Import',
} as const

/** Texts of the audit log that are needed before its page is loaded. */
export const words = {
  'nav.audit': 'Audit log',
} as const

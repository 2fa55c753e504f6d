/** Texts of clashes that are needed before their page is loaded. */
export const words = { 'clashes.title': 'Clashes to settle' } as const

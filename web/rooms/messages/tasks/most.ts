/** How many tasks are requested at once; the early request of the first page (web/early.ts) must use the same number. */
export const MOST_TASKS = 500

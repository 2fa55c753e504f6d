/** How many tasks are requested at once; the early request of the first page (web/early.ts) must be the same. */
export const MOST_TASKS = 500

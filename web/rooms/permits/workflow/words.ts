/** Texts of the workflow editor that are needed before its page is loaded. */
export const words = {
  'workflow.title': 'Workflow',
  'workflow.strict': 'Use the strict workflow',
} as const

export { factsHash, keepPaper, keptPaper, type PaperKind, paper, paperJob, paperNow, plugPapers } from './actions/keep.ts'
export { openPrinter } from './actions/printer.ts'
export { newestPapers, ordersOf, papersAfter, papersOf } from './queries.ts'

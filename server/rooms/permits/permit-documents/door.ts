export { keepPermitPaper, type PaperOccasion, statementOf } from './actions/snapshot.ts'

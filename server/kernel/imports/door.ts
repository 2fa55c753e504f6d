export { type BookFile, type BookPiece, piecesOf, problemOf, readWorkbook } from './actions/read.ts'

import { photos } from './actions.ts'

/** A photo of a day as a record; other records can adopt its file. */
export const tokenPhoto = photos.kind

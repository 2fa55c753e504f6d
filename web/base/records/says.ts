// The texts of lists of records, which are loaded with the first page that has one.
import { addWords } from '../words.ts'
import { listingTexts } from './texts.ts'

/** How lists of records read their texts. */
export const { t } = addWords(listingTexts)

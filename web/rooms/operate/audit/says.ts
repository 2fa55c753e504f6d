// The texts of the audit log, which are loaded with its page.
import { addWords } from '../../../base/words.ts'
import { auditTexts } from './texts.ts'

/** How these parts of the app read their texts. */
export const { t, tOf } = addWords(auditTexts)

// The texts of clashes, which are loaded with their page.
import { addWords } from '../../../base/words.ts'
import { stoppedTexts } from './stopped-texts.ts'
import { settleTexts } from './texts.ts'

/** How these parts of the app read their texts. */
export const { t, tOf } = addWords({ ...settleTexts, ...stoppedTexts })

// The texts of clashes, which are loaded with their page.
import { addWords, t, tOf } from '../../../base/words.ts'
import { stoppedTexts } from './stopped-texts.ts'
import { settleTexts } from './texts.ts'

addWords(settleTexts)
addWords(stoppedTexts)

export { t, tOf }

// The texts of clashes, which are loaded with their page.
import { addWords, t, tOf } from '../../../base/words.ts'
import { settleTexts } from './texts.ts'

addWords(settleTexts)

export { t, tOf }

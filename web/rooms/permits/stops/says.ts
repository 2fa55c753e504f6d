// The texts of area stops, which are loaded with their page.
import { addWords, t } from '../../../base/words.ts'
import { stopTexts } from './texts.ts'

addWords(stopTexts)

export { t }

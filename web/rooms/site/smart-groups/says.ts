// The texts of smart groups, which are loaded with their pages.
import { addWords, t, tOf } from '../../../base/words.ts'
import { groupTexts } from './texts.ts'

addWords(groupTexts)

export { t, tOf }

// The texts of plans, which are loaded with their screens.
import { addWords, t, tOf } from '../../../../base/words.ts'
import { planTexts } from './texts.ts'

addWords(planTexts)

export { t, tOf }

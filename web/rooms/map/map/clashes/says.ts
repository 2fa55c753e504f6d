// The texts of clashes on the map, which are loaded with it.
import { addWords, t, tOf } from '../../../../base/words.ts'
import { mapClashTexts } from './texts.ts'

addWords(mapClashTexts)

export { t, tOf }

// Adds the texts of active areas to the catalogue, before anything shows them.
import './areas.css'
import { addWords } from '../../../../base/words.ts'
import { areaTexts } from './texts.ts'

addWords(areaTexts)

// Runs before anything is painted: whoever chose the dark theme is not dazzled by a light frame while the app comes.
import { keptLooks, showLooks } from './base/looks-kept.ts'

showLooks(keptLooks())

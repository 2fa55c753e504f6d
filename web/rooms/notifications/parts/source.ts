import { t } from '../../../base/words.ts'
import type { Preference } from '../model.ts'

type Cell = Pick<Preference['channels']['in_app'], 'source' | 'why'>

/** Where a switch comes from, in words; what cannot be switched says why. */
export const sourceOf = ({ source, why }: Cell): string =>
  source === 'unavailable' && why !== null ? t(`prefs.why.${why}`) : t(`prefs.source.${source}`)

import type { Preference } from '../model.ts'
import { t } from '../says.ts'

type Cell = Pick<Preference['channels']['in_app'], 'source' | 'why'>

/** Returns where the value of a switch comes from, in words; for a fixed switch, the reason. */
export const sourceOf = ({ source, why }: Cell): string =>
  source === 'unavailable' && why !== null ? t(`prefs.why.${why}`) : t(`prefs.source.${source}`)

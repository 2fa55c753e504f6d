import { useFrame } from '../../../../base/frame.ts'
import { Go } from '../../../../base/go.tsx'
import { FlagButton } from '../../../../base/kit/button.tsx'
import { paths } from '../../../../base/paths.ts'
import { placeName } from '../../../../base/place-name.ts'
import { useHere } from '../../../../base/site.tsx'
import { momentOf } from '../../../../base/time.ts'
import { apart, SeverityBadge } from '../../../permits/permits/door.tsx'
import type { Kind } from '../decisions.ts'
import { t, tOf } from '../says.ts'
import { gives } from '../sides.ts'
import type { Episode } from '../types.ts'
import { Due } from './resolving.tsx'
import { SideLink } from './sides.tsx'
import { Stance } from './stance.tsx'
import { Stopped } from './stopped.tsx'

/** When a clash is: now, or from when. */
function timeOf({ next_at }: Episode, zone: string): string | null {
  if (next_at === null) return null
  return Date.parse(next_at) <= Date.now() ? t('clashes.now') : t('clashes.from', { time: momentOf(next_at, zone) })
}

/** When the map shows a clash that isn't there yet; undefined for one that is there now. */
const aheadOf = ({ next_at }: Episode): string | undefined => (next_at !== null && Date.parse(next_at) > Date.now() ? next_at : undefined)

/** A clash: what, why, where, when, how far, what it means for the work, and what can be decided. */
export function Row({ episode, onDecide }: { episode: Episode; onDecide(kind: Kind): void }) {
  const { zone, site_id, can } = useHere()
  const { severity, a, b, place, consequence, stance, permissions, clash_count, least_distance_m, rule_name } = episode
  const { effect, affected, instruction } = consequence
  const frame = useFrame(site_id, can('map_view')).data
  return (
    <article className={`clash-row ${severity === 'red' ? 'stop' : 'warn'}`} data-episode={episode.id}>
      <div className="row tight-row">
        <SeverityBadge severity={severity} />
        <Due episode={episode} />
        <span className="soft small">{rule_name}</span>
      </div>
      <h2 className="row tight-row">
        <SideLink side={a} />
        <span className="soft" aria-hidden>
          ↔
        </span>
        <SideLink side={b} />
      </h2>
      <p className="small">
        {[
          placeName({ place, location: null }, frame),
          timeOf(episode, zone),
          t('clashes.times', { n: clash_count }),
          apart(least_distance_m, a.hidden || b.hidden),
          effect === 'none' ? tOf('clashes.effect', effect) : `${tOf('clashes.effect', effect)}, ${gives(affected, a, b)}`,
        ]
          .filter(part => part !== null)
          .join(' · ')}
      </p>
      {instruction !== '' && <p>{instruction}</p>}
      {stance !== null && <Stance episode={episode} stance={stance} />}
      <div className="row">
        <FlagButton flag={permissions.settle} explained={false} onClick={() => onDecide('accepted')}>
          {t('clashes.accept')}
        </FlagButton>
        <FlagButton flag={permissions.settle} explained={false} onClick={() => onDecide('not_a_clash')}>
          {t('clashes.not_a_clash')}
        </FlagButton>
        <FlagButton flag={permissions.resolve} explained={false} onClick={() => onDecide('resolving')}>
          {t('clashes.resolve')}
        </FlagButton>
        {can('map_view') && (
          <Go className="btn quiet" to={paths.map(site_id, { chosen: episode.id, at: aheadOf(episode) })}>
            {t('map.show')}
          </Go>
        )}
      </div>
      <Stopped episode={episode} />
    </article>
  )
}

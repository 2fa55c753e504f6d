import { asFault } from '../../../../base/fault.ts'
import { Go } from '../../../../base/go.tsx'
import { Note } from '../../../../base/kit/note.tsx'
import { paths } from '../../../../base/paths.ts'
import { PreviewBody, type usePreview } from '../../../../base/records/preview.tsx'
import { useHere } from '../../../../base/site.tsx'
import { MembersInset } from '../../../map/map/door.tsx'
import type { previewGroup } from '../data.ts'
import { t, tOf } from '../says.ts'
import { Warnings } from './warnings.tsx'

type Previewed = Awaited<ReturnType<typeof previewGroup>>

type Given = {
  preview: ReturnType<typeof usePreview<Previewed>>
  /** The colour of the group. */
  colour: string | null
  /** Whether the form has found a fault of a condition that is complete. */
  faulty: boolean
}

/** Who and what would belong to a group if it were saved like this: in words, how many, and the first of them. */
export function Members({ preview, colour, faulty }: Given) {
  return (
    <section className="panel stack" aria-label={t('groups.preview')}>
      <h2>{t('groups.preview')}</h2>
      <PreviewBody
        preview={preview}
        unready={faulty ? <Note kind="warn">{t('groups.preview_faults')}</Note> : <p className="soft">{t('groups.preview_unready')}</p>}
        offline={t('groups.preview_offline')}
        again={t('groups.preview_again')}
        refused={error => asFault(error).fields.size > 0 && <Note kind="warn">{t('groups.preview_faults')}</Note>}
      >
        {found => <Found found={found} colour={colour} />}
      </PreviewBody>
    </section>
  )
}

function Found({ found: { explanation, warnings, count, members }, colour }: { found: Previewed; colour: string | null }) {
  const { can } = useHere()
  return (
    <>
      <p>{explanation}</p>
      <Warnings warnings={warnings} />
      {count === 0 ? (
        <p className="soft">{t('groups.preview_none')}</p>
      ) : (
        <>
          <p className="strong">{t('groups.count', { n: count })}</p>
          {can('map_view') && <MembersInset members={members} count={count} colour={colour} />}
          <ul className="bullets small" aria-label={t('groups.preview')}>
            {members.map(member => (
              <li key={member.id}>
                <Member {...member} />
              </li>
            ))}
          </ul>
          {count > members.length && <p className="soft small">{t('groups.preview_more', { n: count - members.length })}</p>}
        </>
      )}
    </>
  )
}

function Member({ kind, id, label }: Previewed['members'][number]) {
  const { site_id, can } = useHere()
  const shown = kind === 'permit' || can('map_view')
  return (
    <>
      {shown ? <Go to={paths.thing(site_id, kind, id)}>{label}</Go> : label} <span className="soft">({tOf('groups.kind', kind)})</span>
    </>
  )
}

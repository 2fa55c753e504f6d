import { Wait } from '../../../../base/kit/note.tsx'
import { useHere } from '../../../../base/site.tsx'
import { momentOf } from '../../../../base/time.ts'
import { useVersions } from '../data.ts'
import type { Rule, Version } from '../model.ts'
import { t } from '../says.ts'

/** A rule's versions, so that the question "why was I not notified?" has an answer. */
export function Versions({ rule }: { rule: Rule }) {
  const versions = useVersions(rule.id)
  return (
    <section className="stack" aria-labelledby="rule-versions">
      <h2 id="rule-versions">{t('rules.versions')}</h2>
      <Wait query={versions} rows={2} height={48} />
      <ol className="lines">
        {versions.data?.map(version => (
          <VersionLine key={version.version} version={version} />
        ))}
      </ol>
    </section>
  )
}

function VersionLine({ version }: { version: Version }) {
  const { zone } = useHere()
  const { changed_by, valid_from, valid_to, changes } = version
  const since = valid_from === null ? t('rules.since_ever') : t('rules.since', { when: momentOf(valid_from, zone) })
  return (
    <li className={valid_to === null ? '' : 'past'}>
      <span className="stack tight grow">
        <span className="row">
          <span className="strong">{t('rules.version', { n: version.version })}</span>
          {valid_to === null && <span className="badge act">{t('rules.in_force')}</span>}
        </span>
        <span className="small">
          {changes.length > 0 ? changes.join('; ') : t(changed_by === null ? 'rules.came_shipped' : 'rules.came_written')}
        </span>
        <span className="soft small">
          {since}
          {valid_to !== null && ` ${t('rules.until', { when: momentOf(valid_to, zone) })}`}
          {changed_by !== null && ` · ${changed_by.name}`}
        </span>
      </span>
    </li>
  )
}

import { useState } from 'react'
import { Button } from '../../../../base/kit/button.tsx'
import { Choice, TextField } from '../../../../base/kit/field.tsx'
import { FaultNote, toast, Wait } from '../../../../base/kit/note.tsx'
import { Window } from '../../../../base/kit/window.tsx'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { momentOf } from '../../../../base/time.ts'
import { revertRule, useHistory, useVersion } from '../data.ts'
import { contentOf, type OneRule, type Version } from '../model.ts'
import { t } from '../says.ts'
import { Differences } from './newer.tsx'
import { Preview } from './preview.tsx'

/** The versions of a rule: who changed what, when and why; comparing any two, and restoring one. */
export function History({ rule, onTaken }: { rule: OneRule; onTaken(rule: OneRule): void }) {
  const history = useHistory(rule.id)
  const [restoring, setRestoring] = useState<number | null>(null)
  const versions = history.data ?? []
  return (
    <section className="stack" aria-labelledby="clash-history">
      <h2 id="clash-history">{t('clash.history')}</h2>
      <Wait query={history} rows={2} height={48} />
      <ol className="lines">
        {versions.map(version => (
          <li key={version.version} className={version.version === rule.version ? '' : 'past'}>
            <VersionLine version={version} isNow={version.version === rule.version} isFirst={version === versions.at(-1)} />
            {rule.permissions.edit.allowed && version.version < rule.version && (
              <Button
                look="quiet"
                aria-label={t('clash.restore_one', { n: version.version })}
                onClick={() => setRestoring(version.version)}
              >
                {t('clash.restore')}
              </Button>
            )}
          </li>
        ))}
      </ol>
      {versions.length > 1 && <Compare key={rule.version} rule={rule} versions={versions} />}
      {restoring !== null && <RestoreWindow rule={rule} version={restoring} onTaken={onTaken} onClose={() => setRestoring(null)} />}
    </section>
  )
}

function VersionLine({ version, isNow, isFirst }: { version: Version; isNow: boolean; isFirst: boolean }) {
  const { zone } = useHere()
  const { changed_by, changed_at, change_note, reverted_from, summary } = version
  const when = momentOf(changed_at, zone)
  return (
    <span className="stack tight grow">
      <span className="row">
        <span className="strong">{t('clash.version', { n: version.version })}</span>
        {isNow && <span className="badge act">{t('clash.version_now')}</span>}
        {reverted_from !== null && <span className="badge soft">{t('clash.version_restored', { n: reverted_from })}</span>}
      </span>
      <span className="small">{isFirst ? t('clash.version_first') : summary}</span>
      {change_note !== null && <span className="small">“{change_note}”</span>}
      <span className="soft small">
        {changed_by === null ? t('clash.saved_at', { when }) : t('clash.saved_by', { when, name: changed_by.name })}
      </span>
    </span>
  )
}

function Compare({ rule, versions }: { rule: OneRule; versions: readonly Version[] }) {
  const [open, setOpen] = useState(false)
  const [from, setFrom] = useState(rule.version - 1)
  const [to, setTo] = useState(rule.version)
  const options = versions.map(({ version }) => ({ value: String(version), label: t('clash.version', { n: version }) }))
  return (
    <details className="stack" onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{t('clash.compare')}</summary>
      <div className="row fields">
        <Choice
          label={t('clash.compare_from')}
          value={String(from)}
          options={options}
          onChange={event => setFrom(Number(event.target.value))}
        />
        <Choice label={t('clash.compare_to')} value={String(to)} options={options} onChange={event => setTo(Number(event.target.value))} />
      </div>
      {open && <Differences rule_id={rule.id} from={from} to={to} />}
    </details>
  )
}

type RestoreGiven = { rule: OneRule; version: number; onTaken(rule: OneRule): void; onClose(): void }

function RestoreWindow({ rule, version, onTaken, onClose }: RestoreGiven) {
  const [note, setNote] = useState('')
  const { busy, fault, send } = useSend()
  const content = useVersion(rule.id, version)
  const restore = async () => {
    const done = await send(async () => onTaken(await revertRule(rule, version, note.trim())))
    if (!done) return
    toast(t('clash.was_restored', { n: version }))
    onClose()
  }
  return (
    <Window title={t('clash.restore_title', { n: version })} onClose={onClose} onSubmit={() => void restore()}>
      <p>{t('clash.restore_says', { n: version })}</p>
      <Differences rule_id={rule.id} from={rule.version} to={version} />
      {content.data !== undefined && <Preview rule={rule} content={contentOf(content.data)} changed />}
      <TextField
        label={t('clash.note')}
        hint={t('clash.note_says')}
        optional
        maxLength={500}
        value={note}
        onChange={typed => setNote(typed.target.value)}
      />
      {fault !== null && <FaultNote error={fault} />}
      <div className="row spread">
        <Button look="primary" type="submit" disabled={busy}>
          {t('clash.restore')}
        </Button>
        <Button onClick={onClose}>{t('common.cancel')}</Button>
      </div>
    </Window>
  )
}

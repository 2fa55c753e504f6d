import { type ReactNode, useState } from 'react'
import type { Graph } from '../../../../../shared/lifecycle/graph.ts'
import type { Flag } from '../../../../base/fault.ts'
import { Button, FlagButton, HoldButton } from '../../../../base/kit/button.tsx'
import { FaultNote, Note, toast } from '../../../../base/kit/note.tsx'
import { Window } from '../../../../base/kit/window.tsx'
import { useSend } from '../../../../base/send.ts'
import { type Definition, publish, remove } from '../data.ts'
import { t } from '../says.ts'

type Given = {
  definition: Definition
  graph: Graph
  /** What would change in the active version; false if none is active. */
  changes: ReactNode
  sound: boolean
  changed: boolean
  /** Someone else has changed the workflow since the drawing began, and the person hasn't chosen yet whose goes on. */
  newer: boolean
  /** What the graph prevents, and what applies whatever the graph says. */
  warnings: readonly { key: string; text: string }[]
  onPublished(): void
  onRemoved(): void
}

/** Activates the edited workflow for new permits, or removes the site's workflow in favour of the one above it. */
export function Publish({ definition, graph, changes, sound, changed, newer, warnings, onPublished, onRemoved }: Given) {
  const [asking, setAsking] = useState(false)
  const { busy, fault, send } = useSend()
  const refused = (code: string, detail: string): Flag => ({ allowed: false, because: [{ code, detail }] })
  const flag = !definition.permissions.edit.allowed
    ? definition.permissions.edit
    : !sound
      ? refused('unsound', t('workflow.no_publish'))
      : newer
        ? refused('newer', t('workflow.newer'))
        : changed || definition.version === 0
          ? definition.permissions.edit
          : refused('unchanged', t('workflow.no_change'))
  return (
    <div className="stack">
      {warnings.length > 0 && (
        <Note kind="warn" title={t('workflow.warnings')}>
          <ul className="bullets small">
            {warnings.map(({ key, text }) => (
              <li key={key}>{text}</li>
            ))}
          </ul>
        </Note>
      )}
      {fault !== null && <FaultNote error={fault} />}
      <div className="row">
        <FlagButton flag={flag} look="primary" disabled={busy} onClick={() => setAsking(true)}>
          {t('workflow.publish')}
        </FlagButton>
        {definition.permissions.remove.allowed && (
          <HoldButton
            look="danger"
            onHeld={async () => {
              if (!(await send(() => remove(definition)))) return
              onRemoved()
              toast(t('workflow.went_back'))
            }}
          >
            {t('workflow.back_to_seeded')}
          </HoldButton>
        )}
      </div>
      {asking && (
        <PublishWindow
          code={definition.permit_type_code}
          changes={changes !== false && { title: t('workflow.publish_changes', { n: definition.version }), list: changes }}
          flag={flag}
          onPublish={() => publish(definition, graph)}
          onPublished={onPublished}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}

type Asked = {
  /** The permit type that the workflow is for; null for the whole site. */
  code: string | null
  /** What changes, and compared with what; false if nothing can be compared. */
  changes: { title: string; list: ReactNode } | false
  flag: Flag
  onPublish(): Promise<void>
  onPublished?(): void
  onClose(): void
}

/** Says which permits a published workflow is for and what changes in it, and asks once. */
export function PublishWindow({ code, changes, flag, onPublish, onPublished, onClose }: Asked) {
  const { busy, fault, send } = useSend()
  return (
    <Window title={t('workflow.publish_title')} onClose={onClose}>
      <p>
        {code === null ? t('workflow.publish_site') : t('workflow.publish_type', { code })} {t('workflow.publish_others')}
      </p>
      {changes !== false && (
        <section className="stack tight">
          <h3>{changes.title}</h3>
          {changes.list}
        </section>
      )}
      {fault !== null && <FaultNote error={fault} />}
      <div className="row spread">
        <FlagButton
          flag={flag}
          look="primary"
          disabled={busy}
          onClick={async () => {
            if (!(await send(onPublish))) return
            onPublished?.()
            toast(t('workflow.published'))
            onClose()
          }}
        >
          {t('workflow.publish_now')}
        </FlagButton>
        <Button onClick={onClose}>{t('common.cancel')}</Button>
      </div>
    </Window>
  )
}

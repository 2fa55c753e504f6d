import type { Graph } from '../../../../../shared/lifecycle/graph.ts'
import type { Flag } from '../../../../base/fault.ts'
import { FlagButton, HoldButton } from '../../../../base/kit/button.tsx'
import { FaultNote, Note, toast } from '../../../../base/kit/note.tsx'
import { useSend } from '../../../../base/send.ts'
import { type Definition, publish, remove } from '../data.ts'
import { t } from '../says.ts'

type Given = {
  definition: Definition
  graph: Graph
  sound: boolean
  changed: boolean
  /** Someone else has changed the workflow since the drawing began, and the person hasn't chosen yet whose goes on. */
  newer: boolean
  /** What the graph prevents, and what applies whatever the graph says. */
  warnings: readonly { key: string; text: string }[]
  onRemoved(): void
}

/** Activates the edited workflow for new permits, or removes the site's workflow in favour of the one above it. */
export function Publish({ definition, graph, sound, changed, newer, warnings, onRemoved }: Given) {
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
        <FlagButton
          flag={flag}
          look="primary"
          disabled={busy}
          onClick={async () => {
            if (await send(() => publish(definition, graph))) toast(t('workflow.published'))
          }}
        >
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
    </div>
  )
}

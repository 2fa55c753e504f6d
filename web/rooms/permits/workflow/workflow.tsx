import { useEffect, useState } from 'react'
import { usePlace } from '../../../base/go.tsx'
import { FlagButton } from '../../../base/kit/button.tsx'
import { Choice } from '../../../base/kit/field.tsx'
import { FaultNote, Note, Skeleton } from '../../../base/kit/note.tsx'
import { usePermitTypes } from '../../../base/lists.ts'
import { useSend } from '../../../base/send.ts'
import { lockFlag, useHere } from '../../../base/site.tsx'
import { SettingsTabs } from '../../site/settings/door.tsx'
import { clone, type Definition, takeStrict, useDefinitions, useRegistry, type Words } from './data.ts'
import { differences } from './model.ts'
import { DifferenceList } from './parts/differences.tsx'
import { Editor } from './parts/editor.tsx'
import { PublishWindow } from './parts/publish.tsx'
import { t } from './says.ts'
import './workflow.css'

/** The life of a permit as a graph: for the site, or for one type. */
export default function Workflow() {
  const here = useHere()
  const [place, setPlace] = usePlace()
  const definitions = useDefinitions(here.site_id)
  const registry = useRegistry()
  const types = usePermitTypes(here.site_id)
  useEffect(() => {
    document.title = `${t('workflow.title')} · ${here.name}`
  }, [here.name])
  const error = definitions.error ?? registry.error
  const all = definitions.data
  const seeded = all?.find(one => one.seeded)
  const code = place.type ?? null
  const own = all?.find(one => !one.seeded && one.permit_type_code === code)
  const above = all?.find(one => !one.seeded && one.permit_type_code === null && one.version > 0)
  return (
    <div className="stack workflow-page">
      <h1>{t('nav.settings')}</h1>
      <SettingsTabs part="workflow" />
      <Choice
        label={t('workflow.scope')}
        className="input scope"
        value={code ?? ''}
        options={[
          { value: '', label: named(t('workflow.site'), hasOwn(all, null)) },
          ...(types.data ?? [])
            .filter(type => type.active || type.code === code)
            .map(type => ({
              value: type.code,
              label: named(t('workflow.of_type', { code: type.code, name: type.name }), hasOwn(all, type.code)),
            })),
        ]}
        onChange={event => setPlace({ type: event.target.value || undefined })}
      />
      {error !== null && all === undefined && <FaultNote error={error} onRetry={() => void definitions.refetch()} />}
      {(all === undefined || registry.data === undefined) && error === null && <Skeleton rows={2} height={200} />}
      {seeded !== undefined && registry.data !== undefined && own === undefined && (
        <Copy
          code={code}
          by_site={above !== undefined}
          seeded={seeded}
          strict={all?.find(one => one.seeded && one.id !== seeded.id)}
          words={registry.data}
        />
      )}
      {seeded !== undefined && registry.data !== undefined && (
        <Editor
          key={code}
          name={`workflow ${here.site_id} ${code ?? ''}`}
          definition={own ?? (code === null ? seeded : (above ?? seeded))}
          own={own !== undefined}
          seeded={seeded}
          words={registry.data}
        />
      )}
    </div>
  )
}

const hasOwn = (all: readonly Definition[] | undefined, code: string | null): boolean =>
  all?.some(one => !one.seeded && one.permit_type_code === code) ?? false
const named = (name: string, own: boolean): string => (own ? `${name} · ${t('workflow.own')}` : name)

type CopyGiven = {
  code: string | null
  by_site: boolean
  seeded: Definition
  strict: Definition | undefined
  words: Words
}

/** Shown if the site has no workflow of its own yet: which one applies instead, and how to create one. */
function Copy({ code, by_site, seeded, strict, words }: CopyGiven) {
  const here = useHere()
  const { busy, fault, send } = useSend()
  const [asking, setAsking] = useState(false)
  const may = here.can('permit_workflow_author')
  return (
    <Note>
      <p>{code !== null && by_site ? t('workflow.site_here', { code }) : t('workflow.shipped_here')}</p>
      {fault !== null && <FaultNote error={fault} />}
      {may && (
        <FlagButton
          flag={lockFlag(here)}
          look="primary"
          disabled={busy}
          onClick={() =>
            void send(() => clone(here.site_id, code, code === null ? t('workflow.copy_name') : t('workflow.copy_name_of', { code })))
          }
        >
          {t('workflow.copy')}
        </FlagButton>
      )}
      {may && code === null && strict !== undefined && (
        <div className="stack tight strict">
          <p className="strong">{t('workflow.strict_title')}</p>
          <p className="small">{t('workflow.strict_says')}</p>
          <FlagButton flag={lockFlag(here)} disabled={busy} onClick={() => setAsking(true)}>
            {t('workflow.strict')}
          </FlagButton>
          {asking && (
            <PublishWindow
              code={null}
              changes={{
                title: t('workflow.publish_strict_changes'),
                list: <DifferenceList found={differences(strict, seeded)} graph={strict} words={words} />,
              }}
              flag={lockFlag(here)}
              onPublish={() => takeStrict(here.site_id)}
              onClose={() => setAsking(false)}
            />
          )}
        </div>
      )}
    </Note>
  )
}

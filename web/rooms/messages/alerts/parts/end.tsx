import { TextArea } from '../../../../base/kit/field.tsx'
import { RecordForm } from '../../../../base/records/form.tsx'
import { t } from '../../../../base/words.ts'
import { reopenAlert, resolveAlert } from '../data.ts'
import { type Alert, isGrave } from '../model.ts'

/** Resolves an alert; danger and what stops work need a note. */
export function ResolveWindow({ alert, onClose }: { alert: Alert; onClose(): void }) {
  return (
    <RecordForm
      title={t('alert.resolve.title')}
      name={`resolve ${alert.id}`}
      body="AlertResolve"
      start={{ note: '' }}
      save={({ note }) => resolveAlert(alert, note)}
      said={t('alert.resolved', { title: alert.title })}
      button={t('alert.resolve')}
      onClose={onClose}
    >
      {({ field }) => (
        <>
          <p className="strong">{alert.title}</p>
          <p>{t('alert.resolve.look')}</p>
          <TextArea label={t('alert.resolve.note')} {...field('note')} optional={!isGrave(alert)} required={isGrave(alert)} />
        </>
      )}
    </RecordForm>
  )
}

/** Makes an alert active again. */
export function ReopenWindow({ alert, onClose }: { alert: Alert; onClose(): void }) {
  return (
    <RecordForm
      title={t('alert.reopen.title')}
      name={`reopen ${alert.id}`}
      body="AlertUnresolve"
      start={{ reason: '' }}
      save={({ reason }) => reopenAlert(alert, reason)}
      said={t('alert.reopened', { title: alert.title })}
      button={t('alert.reopen')}
      onClose={onClose}
    >
      {({ field }) => (
        <>
          <p className="strong">{alert.title}</p>
          <TextArea label={t('alert.reopen.reason')} {...field('reason')} optional={false} required />
        </>
      )}
    </RecordForm>
  )
}

import { useState } from 'react'
import { Button, FlagButton } from '../../../../base/kit/button.tsx'
import { Empty, FaultNote, Skeleton, toast, toastFault } from '../../../../base/kit/note.tsx'
import { usePermitTypes } from '../../../../base/lists.ts'
import { useHere } from '../../../../base/site.tsx'
import { durationOf } from '../../../../base/time.ts'
import { TypeChip } from '../../../permits/permits/door.tsx'
import { changeType, type PermitType } from '../data.ts'
import { t } from '../says.ts'
import { TypeWindow } from './type-window.tsx'

const FLAGS = ['requires_parent', 'single_stage', 'is_extendable'] as const

/** Permit types of the site: active ones, then retired ones. */
export function Types() {
  const here = useHere()
  const types = usePermitTypes(here.site_id)
  const [open, setOpen] = useState<PermitType | 'new' | null>(null)
  const may = here.canChange('permit_settings_manage')
  const rows = (types.data ?? []).toSorted((a, b) => Number(b.active) - Number(a.active))
  const add = may && (
    <Button look="primary" onClick={() => setOpen('new')}>
      {t('settings.new_type')}
    </Button>
  )
  return (
    <section className="stack" aria-label={t('settings.types')}>
      <div className="row spread">
        <p className="soft says">{t('settings.types_say')}</p>
        {add}
      </div>
      {types.isPending && <Skeleton rows={5} />}
      {types.error !== null && <FaultNote error={types.error} onRetry={() => void types.refetch()} />}
      {types.data?.length === 0 && <Empty action={add || undefined}>{t('settings.no_types')}</Empty>}
      <ul className="lines">
        {rows.map(type => (
          <TypeRow key={type.id} type={type} onEdit={() => setOpen(type)} />
        ))}
      </ul>
      {open !== null && <TypeWindow type={open === 'new' ? null : open} onClose={() => setOpen(null)} />}
    </section>
  )
}

function TypeRow({ type, onEdit }: { type: PermitType; onEdit(): void }) {
  const turn = async () => {
    try {
      await changeType(type, { active: !type.active })
      toast(t(type.active ? 'settings.retired' : 'settings.brought_back', { name: type.name }))
    } catch (error) {
      toastFault(error)
    }
  }
  return (
    <li className={type.active ? '' : 'past'}>
      <div className="stack tight grow">
        <span className="row">
          <TypeChip code={type.code} />
          <span className="strong">{type.name}</span>
          {!type.active && <span className="badge soft">{t('settings.is_retired')}</span>}
        </span>
        <span className="soft small">
          {[
            type.default_duration_hours === null ? null : durationOf(type.default_duration_hours),
            t('settings.n_checks', { n: type.pre_checks.length }),
            t('settings.n_slots', { n: type.expected_attachments.length }),
            ...FLAGS.filter(flag => type[flag]).map(flag => t(`settings.flag.${flag}`)),
          ]
            .filter(part => part !== null)
            .join(' · ')}
        </span>
      </div>
      <span className="row">
        <FlagButton
          flag={type.permissions.edit}
          explained={false}
          onClick={onEdit}
          aria-label={t('settings.edit_type', { name: type.name })}
        >
          {t('common.edit')}
        </FlagButton>
        <FlagButton
          flag={type.permissions.edit}
          explained={false}
          look="quiet"
          onClick={() => void turn()}
          aria-label={t(type.active ? 'settings.retire_type' : 'settings.bring_back_type', { name: type.name })}
        >
          {t(type.active ? 'settings.retire' : 'settings.bring_back')}
        </FlagButton>
      </span>
    </li>
  )
}

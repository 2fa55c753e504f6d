import { chosenFrom } from '../../../../../shared/narrow.ts'
import { Choice, Choices, TextArea, TextField } from '../../../../base/kit/field.tsx'
import { OwnColour } from '../../../../base/kit/own-colour.tsx'
import { useHere } from '../../../../base/site.tsx'
import { fieldsFor, keptFor, linesIn, writeCondition } from '../../../messages/rules/door.tsx'
import { type Draft, fieldsOf, type SmartGroup, SUBJECT, SUBJECTS, type Subject, sharingOf, VISIBILITIES } from '../draft.ts'
import { t } from '../says.ts'

type Given = {
  draft: Draft
  may: boolean
  set(part: Partial<Draft>): void
}

const FIRST_COLOUR = '#3366cc'

/** What a group is called, what it is for, who sees it, and its colour. `taken`: another group has its name. */
export function Fields({ draft, may, set, group, taken }: Given & { group: SmartGroup | null; taken: string | undefined }) {
  const here = useHere()
  const barred = sharingOf(here)
  const why = group?.permissions.share.allowed === false ? group.permissions.share.because.map(one => one.detail).join(' ') : undefined
  return (
    <>
      <TextField
        label={t('groups.name')}
        required
        maxLength={200}
        disabled={!may}
        value={draft.name}
        fault={taken}
        at="name"
        onChange={typed => set({ name: typed.target.value })}
      />
      <TextArea
        label={t('groups.description')}
        optional
        rows={2}
        maxLength={2000}
        disabled={!may}
        value={draft.description}
        at="description"
        onChange={typed => set({ description: typed.target.value })}
      />
      <Choice
        label={t('groups.visibility')}
        hint={barred === null ? t('groups.visibility_says') : (why ?? t(`groups.${barred}`))}
        disabled={!may || (barred !== null && draft.visibility === 'private')}
        value={draft.visibility}
        options={VISIBILITIES.map(value => ({ value, label: t(`groups.visibility.${value}`) }))}
        at="visibility"
        onChange={chosen => set({ visibility: chosenFrom(VISIBILITIES, chosen.target.value) })}
      />
      <OwnColour
        label={t('groups.has_colour')}
        hint={t('groups.has_colour_says')}
        colour={t('groups.colour')}
        disabled={!may}
        value={draft.colour}
        first={FIRST_COLOUR}
        onChange={colour => set({ colour })}
      />
    </>
  )
}

/** Returns the condition for another subject: lines on fields of the same name and type stay. */
function carried(draft: Draft, subject: Subject): unknown {
  const lines = linesIn(SUBJECT[draft.subject], draft.predicate)
  const [before, after] = [fieldsOf(draft.subject, draft.predicate), fieldsOf(subject, true)].map(fieldsFor)
  return lines === null ? true : writeCondition(keptFor(lines, before ?? [], after ?? []))
}

/** What a group is of: chosen once, when it is created. */
export function SubjectField({ draft, may, set, fixed }: Given & { fixed: boolean }) {
  if (fixed)
    return (
      <p className="small">
        {t('groups.subject')}: {t(`groups.subject.${draft.subject}`)}. <span className="soft">{t('groups.subject_fixed')}</span>
      </p>
    )
  return (
    <div className="stack tight">
      <Choices
        label={t('groups.subject')}
        options={SUBJECTS.map(value => ({ value, label: t(`groups.subject.${value}`) }))}
        value={draft.subject}
        onChoose={subject => may && subject !== draft.subject && set({ subject, predicate: carried(draft, subject), json: null })}
      />
      <p className="soft small">{t('groups.subject_says')}</p>
    </div>
  )
}

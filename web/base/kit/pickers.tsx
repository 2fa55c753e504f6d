// Choosing from what the site has: a contractor, a person, a period.
import type { ComponentProps, ReactNode } from 'react'
import { useContractors, useMembers } from '../lists.ts'
import { useHere } from '../site.tsx'
import { Choice, MomentField } from './field.tsx'

type Given = Omit<ComponentProps<typeof Choice>, 'options' | 'groups' | 'onChange'> & {
  label: ReactNode
  value: string
  onPick(id: string): void
}

/** Chooses a contractor of the site; `all` includes those that have left. */
export function ContractorPick({ all = false, onPick, ...rest }: Given & { all?: boolean }) {
  const { site_id } = useHere()
  const contractors = useContractors(site_id, all ? 'all' : 'active')
  return (
    <Choice
      {...rest}
      options={(contractors.data ?? []).map(contractor => ({ value: contractor.id, label: contractor.name }))}
      onChange={event => onPick(event.target.value)}
    />
  )
}

/** Chooses a member of the site. */
export function PersonPick({ onPick, ...rest }: Given) {
  const { site_id } = useHere()
  const people = useMembers(site_id)
  return (
    <Choice
      {...rest}
      options={(people.data ?? []).map(person => ({ value: person.user_id, label: person.name }))}
      onChange={event => onPick(event.target.value)}
    />
  )
}

type Period = { from: string | null; to: string | null }

/** Chooses a period by its first and last instant, in site time; either can be open. */
export function PeriodPick({
  labels,
  value,
  onPick,
}: {
  labels: Record<keyof Period, string>
  value: Period
  onPick(change: Partial<Period>): void
}) {
  const { zone } = useHere()
  return (['from', 'to'] as const).map(end => (
    <MomentField key={end} label={labels[end]} optional zone={zone} value={value[end]} onMoment={at => onPick({ [end]: at })} />
  ))
}

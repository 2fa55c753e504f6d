import type { ComponentProps } from 'react'
import { asFault } from '../fault.ts'
import { Faults } from './faults.tsx'

/** A form on a page. `error`: the refusal of its last call, or null. */
export const Form = ({
  error,
  onSubmit,
  ...rest
}: { error: unknown; onSubmit(): void } & Omit<ComponentProps<'form'>, 'onSubmit' | 'onError'>) => (
  <Faults of={asFault(error).fields}>
    <form
      onSubmit={event => {
        event.preventDefault()
        onSubmit()
      }}
      {...rest}
    />
  </Faults>
)

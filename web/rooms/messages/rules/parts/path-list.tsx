/** Faults or warnings, each with its path. */
export const PathList = ({ notes }: { notes: readonly { path: string; message: string }[] }) => (
  <ul className="bullets small">
    {notes.map(one => (
      <li key={one.path + one.message}>
        <code>{one.path}</code> {one.message}
      </li>
    ))}
  </ul>
)

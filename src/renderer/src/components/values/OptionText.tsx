// Text in which the names of options stay in one piece: a line breaks before `--rig-file`, never inside.

/** Finds an option's name with the bracket before it, without the sentence's own mark after it. */
const OPTION = /(\(?--[a-z](?:[\w.-]*\w)?)/

export function OptionText({ text }: { readonly text: string }) {
  const parts = text.split(OPTION)
  if (parts.length === 1) return text
  return parts.map((part, place) =>
    place % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the same name may come twice
      <span key={place} style={{ whiteSpace: 'nowrap' }}>
        {part}
      </span>
    ),
  )
}

// Names by which headings of documents are linked to.

/** As public forges make it of a heading's text. */
export function anchorOf(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[`*[\]()]/g, '')
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replace(/ /g, '-')
}

// A file's text as a module, inlined by the bundler.
declare module '*?raw' {
  const text: string
  export default text
}

// A file's text as a module, put in by the bundler.
declare module '*?raw' {
  const text: string
  export default text
}

import type { Plugin } from 'vite'

export function keylessTexts(folder: string): Plugin

/** Why a text is no descriptor that is understood here. */
export class DescriptorFault extends Error {}

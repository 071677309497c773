# The addon. The same sources, without src/addon, are the test program and the benchmark of CMakeLists.txt.
# Vector code switches its instruction set on inside its own files, so no file needs flags of its own.
{
  # The C library, as source: vendor/libsecp256k1.json says from where.
  'variables': {'secp256k1_dir': 'vendor/libsecp256k1'},
  'targets': [{
    # A target of its own, since it is C: none of the addon's options for C++ reach it.
    'target_name': 'secp256k1',
    'type': 'static_library',
    'sources': ['src/curve/secp256k1.c'],
    'include_dirs': ['<(secp256k1_dir)', '<(secp256k1_dir)/src'],
    'cflags': ['-O3', '-fvisibility=hidden'],
    'conditions': [
      ['OS=="mac"', {'xcode_settings': {
        'GCC_OPTIMIZATION_LEVEL': '3', 'GCC_SYMBOLS_PRIVATE_EXTERN': 'YES', 'MACOSX_DEPLOYMENT_TARGET': '11.0'}}],
      ['OS=="win"', {'msvs_settings': {'VCCLCompilerTool': {'AdditionalOptions': ['/O2']}}}],
    ],
  }, {
    'target_name': 'headframe',
    'sources': [
      'src/addon/addon.cpp',
      'src/blake2/rounds.cpp',
      'src/checksum/crc32c.cpp',
      'src/confine/confine.cpp',
      'src/curve/curve.cpp',
      'src/farm/cpu_search.cpp',
      'src/gpu/cuda/cuda_device.cpp',
      'src/gpu/cuda/cuda_driver.cpp',
      'src/gpu/cuda/cuda_library.cpp',
      'src/gpu/cuda/cuda_module.cpp',
      'src/gpu/dataset_slices.cpp',
      'src/gpu/gpu_device_loop.cpp',
      'src/gpu/gpu_search.cpp',
      'src/gpu/opencl/cl_api.cpp',
      'src/gpu/opencl/opencl_device.cpp',
      'src/gpu/opencl/opencl_driver.cpp',
      'src/gpu/opencl/program_builder.cpp',
      'src/gpu/opencl/program_cache.cpp',
      'src/kdf/scrypt.cpp',
      'src/kdf/scrypt_avx512.cpp',
      'src/numbers/limbs.cpp',
      'src/numbers/montgomery.cpp',
      'src/numbers/power.cpp',
      'src/numbers/ring.cpp',
      'src/numbers/twos.cpp',
      'src/sensors/nvml.cpp',
      'src/sensors/nvml_controls.cpp',
      'src/windows/system.cpp',
      'src/xhash/cache.cpp',
      'src/xhash/dataset.cpp',
      'src/xhash/keccak/keccak.cpp',
      'src/xhash/kernels/kernels.cpp',
      'src/xhash/kernels/kernels_avx2.cpp',
      'src/xhash/kernels/kernels_avx512.cpp',
      'src/xhash/kernels/kernels_scalar.cpp',
      'src/xhash/kernels/simd.cpp',
      'src/xhash/sizes.cpp',
      'src/xhash/system/huge_buffer.cpp',
      'src/xhash/system/priority.cpp',
    ],
    'dependencies': ['secp256k1'],
    'include_dirs': ['<!(node -p "require(\'node-addon-api\').include_dir")', '<(secp256k1_dir)'],
    'defines': [
      'NAPI_VERSION=8',
      'NAPI_DISABLE_CPP_EXCEPTIONS',
      'NODE_API_NO_EXTERNAL_BUFFERS_ALLOWED',
      # A worker that is being terminated refuses every call, throwing included: then nothing is to be done.
      'NODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS',
    ],
    'cflags': ['-O3', '-Wall', '-Wextra', '-Wno-unused-parameter'],
    'cflags_cc': ['-std=c++20', '-fvisibility=hidden'],
    'cflags_cc!': ['-std=gnu++17', '-std=gnu++20'],
    'conditions': [
      ['OS=="linux"', {'libraries': ['-pthread', '-ldl']}],
      ['OS=="mac"', {
        'xcode_settings': {
          'CLANG_CXX_LANGUAGE_STANDARD': 'c++20',
          'CLANG_CXX_LIBRARY': 'libc++',
          'GCC_OPTIMIZATION_LEVEL': '3',
          'GCC_ENABLE_CPP_EXCEPTIONS': 'YES',
          'GCC_SYMBOLS_PRIVATE_EXTERN': 'YES',
          'MACOSX_DEPLOYMENT_TARGET': '11.0',
        },
      }],
      ['OS=="win"', {'msvs_settings': {'VCCLCompilerTool': {
        'AdditionalOptions': ['/std:c++20', '/O2'], 'ExceptionHandling': 1}}}],
    ],
  }],
}

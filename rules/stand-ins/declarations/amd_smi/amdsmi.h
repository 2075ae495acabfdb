// cudamigrate declarations: names and types of AMD SMI 10.0; not the library's own header
#ifndef CUDAMIGRATE_DECLARES_AMD_SMI_AMDSMI_H
#define CUDAMIGRATE_DECLARES_AMD_SMI_AMDSMI_H
#include <time.h>
#include <stddef.h>
#include <stdint.h>
#define AMDSMI_MAX_MM_IP_COUNT 8
#define AMDSMI_MAX_STRING_LENGTH 256
#define AMDSMI_MAX_DEVICES 32
#define AMDSMI_MAX_CACHE_TYPES 10
#define AMDSMI_MAX_ACCELERATOR_PROFILE 32
#define AMDSMI_MAX_CP_PROFILE_RESOURCES 32
#define AMDSMI_MAX_ACCELERATOR_PARTITIONS 8
#define AMDSMI_MAX_NUM_NUMA_NODES 32
#define AMDSMI_GPU_UUID_SIZE 38
#define AMDSMI_MAX_NUM_XGMI_PHYSICAL_LINK 64
#define AMDSMI_MAX_CONTAINER_TYPE 2
#define AMDSMI_NUM_HBM_INSTANCES 4
#define AMDSMI_MAX_NUM_VCN 4
#define AMDSMI_MAX_NUM_CLKS 4
#define AMDSMI_MAX_NUM_XGMI_LINKS 8
#define AMDSMI_MAX_NUM_GFX_CLKS 8
#define AMDSMI_MAX_AID 4
#define AMDSMI_MAX_ENGINES 8
#define AMDSMI_MAX_NUM_JPEG 32
#define AMDSMI_MAX_NUM_JPEG_ENG_V1 40
#define AMDSMI_MAX_NUM_XCC 8
#define AMDSMI_MAX_NUM_XCP 8
#define AMDSMI_APU_MAX_CORES 16
#define AMDSMI_APU_V24_CORES 8
#define AMDSMI_APU_MAX_L3 2
#define AMDSMI_APU_MAX_IPU 8
#define AMDSMI_MAX_NUMBER_OF_AFIDS_PER_RECORD 12
#define AMDSMI_MAX_NUM_HBM_STACKS 12
#define AMDSMI_MAX_NUM_AID 2
#define AMDSMI_MAX_NUM_MID 2
#define AMDSMI_MAX_NUM_CLKS_PER_AID 2
#define AMDSMI_MAX_NUM_CLKS_PER_MID 2
#define AMDSMI_TIME_FORMAT "%02d:%02d:%02d.%03d"
#define AMDSMI_DATE_FORMAT "%04d-%02d-%02d:%02d:%02d:%02d.%03d"
#define AMDSMI_LIB_VERSION_MAJOR 27
#define AMDSMI_LIB_VERSION_MINOR 0
#define AMDSMI_LIB_VERSION_RELEASE 0
#define AMDSMI_LIB_VERSION_STRING "27.0.0"
#define AMDSMI_MAX_DRIVER_INFO_RSVD 64
#define AMDSMI_MAX_UUID_ELEMENTS 16
#define AMDSMI_MAX_SPD_DIMM_ADDRESS 255
#define AMDSMI_MAX_SPD_LID 15
#define AMDSMI_MAX_SPD_REG_OFFSET 2047
#define AMDSMI_MAX_SPD_REG_SPACE 1
#define AMDSMI_MAX_SPD_WRITE_DATA 255
#define AMDSMI_MAX_SVI3_RAIL_INDEX 4
#define AMDSMI_MAX_SVI3_RAIL_SELECTION 1
#define AMDSMI_POWER_EFFICIENCY_MODE_4 4
#define AMDSMI_POWER_EFFICIENCY_MODE_5 5
#define AMDSMI_MAX_POWER_EFFICIENCY_UTIL 127
#define AMDSMI_MAX_POWER_EFFICIENCY_PPTLIMIT 2097151
#define AMDSMI_RAIL_INDEX_NONE -1
#define AMDSMI_MAX_NUM_FREQUENCIES 33
#define AMDSMI_MAX_FAN_SPEED 255
#define AMDSMI_NUM_VOLTAGE_CURVE_POINTS 3
#define AMDSMI_MAX_UTILIZATION_VALUES 4
#define AMDSMI_MAX_NUM_PM_POLICIES 32
#define AMDSMI_MAX_NIC_PORTS 32
#define AMDSMI_MAX_NIC_RDMA_DEV 32
#define AMDSMI_MAX_NIC_FW 16
#define AMDSMI_FABRIC_LABEL_MAX_LENGTH 32
#define AMDSMI_FABRIC_PPOD_ID_SIZE 16
#define AMDSMI_MAX_CARVEOUT_OPTIONS 16
extern "C" {
enum amdsmi_init_flags_t { AMDSMI_INIT_ALL_PROCESSORS = 4294967295, AMDSMI_INIT_AMD_CPUS = 1, AMDSMI_INIT_AMD_GPUS = 2, AMDSMI_INIT_NON_AMD_CPUS = 4, AMDSMI_INIT_NON_AMD_GPUS = 8, AMDSMI_INIT_AMD_APUS = 3, AMDSMI_INIT_AMD_NICS = 16 };
enum amdsmi_mm_ip_t { AMDSMI_MM_UVD = 0, AMDSMI_MM_VCE = 1, AMDSMI_MM_VCN = 2, AMDSMI_MM__MAX = 3 };
enum amdsmi_container_types_t { AMDSMI_CONTAINER_LXC = 0, AMDSMI_CONTAINER_DOCKER = 1 };
typedef void *amdsmi_processor_handle;
typedef void *amdsmi_socket_handle;
typedef void *amdsmi_node_handle;
typedef void *amdsmi_cpusocket_handle;
struct amdsmi_hsmp_driver_version_t { uint32_t major; uint32_t minor; };
enum amdsmi_processor_type_t { AMDSMI_PROCESSOR_TYPE_UNKNOWN = 0, AMDSMI_PROCESSOR_TYPE_AMD_GPU = 1, AMDSMI_PROCESSOR_TYPE_AMD_CPU = 2, AMDSMI_PROCESSOR_TYPE_NON_AMD_GPU = 3, AMDSMI_PROCESSOR_TYPE_NON_AMD_CPU = 4, AMDSMI_PROCESSOR_TYPE_AMD_CPU_CORE = 5, AMDSMI_PROCESSOR_TYPE_AMD_APU = 6, AMDSMI_PROCESSOR_TYPE_AMD_NIC = 7, AMDSMI_PROCESSOR_TYPE_BRCM_NIC = 8, AMDSMI_PROCESSOR_TYPE_BRCM_SWITCH = 9 };
typedef amdsmi_processor_type_t processor_type_t;
enum amdsmi_status_t { AMDSMI_STATUS_SUCCESS = 0, AMDSMI_STATUS_INVAL = 1, AMDSMI_STATUS_NOT_SUPPORTED = 2, AMDSMI_STATUS_NOT_YET_IMPLEMENTED = 3, AMDSMI_STATUS_FAIL_LOAD_MODULE = 4, AMDSMI_STATUS_FAIL_LOAD_SYMBOL = 5, AMDSMI_STATUS_DRM_ERROR = 6, AMDSMI_STATUS_API_FAILED = 7, AMDSMI_STATUS_TIMEOUT = 8, AMDSMI_STATUS_RETRY = 9, AMDSMI_STATUS_NO_PERM = 10, AMDSMI_STATUS_INTERRUPT = 11, AMDSMI_STATUS_IO = 12, AMDSMI_STATUS_ADDRESS_FAULT = 13, AMDSMI_STATUS_FILE_ERROR = 14, AMDSMI_STATUS_OUT_OF_RESOURCES = 15, AMDSMI_STATUS_INTERNAL_EXCEPTION = 16, AMDSMI_STATUS_INPUT_OUT_OF_BOUNDS = 17, AMDSMI_STATUS_INIT_ERROR = 18, AMDSMI_STATUS_REFCOUNT_OVERFLOW = 19, AMDSMI_STATUS_DIRECTORY_NOT_FOUND = 20, AMDSMI_STATUS_IPC_ERROR = 21, AMDSMI_STATUS_BUSY = 30, AMDSMI_STATUS_NOT_FOUND = 31, AMDSMI_STATUS_NOT_INIT = 32, AMDSMI_STATUS_NO_SLOT = 33, AMDSMI_STATUS_DRIVER_NOT_LOADED = 34, AMDSMI_STATUS_MORE_DATA = 39, AMDSMI_STATUS_NO_DATA = 40, AMDSMI_STATUS_INSUFFICIENT_SIZE = 41, AMDSMI_STATUS_UNEXPECTED_SIZE = 42, AMDSMI_STATUS_UNEXPECTED_DATA = 43, AMDSMI_STATUS_NON_AMD_CPU = 44, AMDSMI_STATUS_NO_ENERGY_DRV = 45, AMDSMI_STATUS_NO_MSR_DRV = 46, AMDSMI_STATUS_NO_HSMP_DRV = 47, AMDSMI_STATUS_NO_HSMP_SUP = 48, AMDSMI_STATUS_NO_HSMP_MSG_SUP = 49, AMDSMI_STATUS_HSMP_TIMEOUT = 50, AMDSMI_STATUS_NO_DRV = 51, AMDSMI_STATUS_FILE_NOT_FOUND = 52, AMDSMI_STATUS_ARG_PTR_NULL = 53, AMDSMI_STATUS_AMDGPU_RESTART_ERR = 54, AMDSMI_STATUS_SETTING_UNAVAILABLE = 55, AMDSMI_STATUS_CORRUPTED_EEPROM = 56, AMDSMI_STATUS_MAP_ERROR = 4294967294, AMDSMI_STATUS_UNKNOWN_ERROR = 4294967295 };
enum amdsmi_clk_type_t { AMDSMI_CLK_TYPE_SYS = 0, AMDSMI_CLK_TYPE_FIRST = 0, AMDSMI_CLK_TYPE_GFX = 0, AMDSMI_CLK_TYPE_DF = 1, AMDSMI_CLK_TYPE_DCEF = 2, AMDSMI_CLK_TYPE_SOC = 3, AMDSMI_CLK_TYPE_MEM = 4, AMDSMI_CLK_TYPE_PCIE = 5, AMDSMI_CLK_TYPE_VCLK0 = 6, AMDSMI_CLK_TYPE_VCLK1 = 7, AMDSMI_CLK_TYPE_DCLK0 = 8, AMDSMI_CLK_TYPE_DCLK1 = 9, AMDSMI_CLK_TYPE__MAX = 9 };
enum amdsmi_accelerator_partition_type_t { AMDSMI_ACCELERATOR_PARTITION_INVALID = 0, AMDSMI_ACCELERATOR_PARTITION_SPX = 1, AMDSMI_ACCELERATOR_PARTITION_DPX = 2, AMDSMI_ACCELERATOR_PARTITION_TPX = 3, AMDSMI_ACCELERATOR_PARTITION_QPX = 4, AMDSMI_ACCELERATOR_PARTITION_CPX = 5, AMDSMI_ACCELERATOR_PARTITION_MAX = 6 };
enum amdsmi_accelerator_partition_resource_type_t { AMDSMI_ACCELERATOR_XCC = 0, AMDSMI_ACCELERATOR_ENCODER = 1, AMDSMI_ACCELERATOR_DECODER = 2, AMDSMI_ACCELERATOR_DMA = 3, AMDSMI_ACCELERATOR_JPEG = 4, AMDSMI_ACCELERATOR_MAX = 5 };
enum amdsmi_compute_partition_type_t { AMDSMI_COMPUTE_PARTITION_INVALID = 0, AMDSMI_COMPUTE_PARTITION_SPX = 1, AMDSMI_COMPUTE_PARTITION_DPX = 2, AMDSMI_COMPUTE_PARTITION_TPX = 3, AMDSMI_COMPUTE_PARTITION_QPX = 4, AMDSMI_COMPUTE_PARTITION_CPX = 5 };
enum amdsmi_compute_partition_mem_alloc_mode_t { AMDSMI_COMPUTE_PARTITION_MEM_ALLOC_INVALID = 0, AMDSMI_COMPUTE_PARTITION_MEM_ALLOC_CAPPING = 1, AMDSMI_COMPUTE_PARTITION_MEM_ALLOC_ALL = 2 };
enum amdsmi_accelerator_partition_mem_alloc_mode_t { AMDSMI_ACCELERATOR_PARTITION_MEM_ALLOC_INVALID = 0, AMDSMI_ACCELERATOR_PARTITION_MEM_ALLOC_CAPPING = 1, AMDSMI_ACCELERATOR_PARTITION_MEM_ALLOC_ALL = 2 };
enum amdsmi_memory_partition_type_t { AMDSMI_MEMORY_PARTITION_UNKNOWN = 0, AMDSMI_MEMORY_PARTITION_NPS1 = 1, AMDSMI_MEMORY_PARTITION_NPS2 = 2, AMDSMI_MEMORY_PARTITION_NPS4 = 4, AMDSMI_MEMORY_PARTITION_NPS8 = 8 };
enum amdsmi_temperature_type_t { AMDSMI_TEMPERATURE_TYPE_EDGE = 0, AMDSMI_TEMPERATURE_TYPE_FIRST = 0, AMDSMI_TEMPERATURE_TYPE_HOTSPOT = 1, AMDSMI_TEMPERATURE_TYPE_JUNCTION = 1, AMDSMI_TEMPERATURE_TYPE_VRAM = 2, AMDSMI_TEMPERATURE_TYPE_HBM_0 = 3, AMDSMI_TEMPERATURE_TYPE_HBM_1 = 4, AMDSMI_TEMPERATURE_TYPE_HBM_2 = 5, AMDSMI_TEMPERATURE_TYPE_HBM_3 = 6, AMDSMI_TEMPERATURE_TYPE_PLX = 7, AMDSMI_TEMPERATURE_TYPE_GPUBOARD_NODE_FIRST = 100, AMDSMI_TEMPERATURE_TYPE_GPUBOARD_NODE_RETIMER_X = 100, AMDSMI_TEMPERATURE_TYPE_GPUBOARD_NODE_OAM_X_IBC = 101, AMDSMI_TEMPERATURE_TYPE_GPUBOARD_NODE_OAM_X_IBC_2 = 102, AMDSMI_TEMPERATURE_TYPE_GPUBOARD_NODE_OAM_X_VDD18_VR = 103, AMDSMI_TEMPERATURE_TYPE_GPUBOARD_NODE_OAM_X_04_HBM_B_VR = 104, AMDSMI_TEMPERATURE_TYPE_GPUBOARD_NODE_OAM_X_04_HBM_D_VR = 105, AMDSMI_TEMPERATURE_TYPE_GPUBOARD_NODE_LAST = 149, AMDSMI_TEMPERATURE_TYPE_GPUBOARD_VR_FIRST = 150, AMDSMI_TEMPERATURE_TYPE_GPUBOARD_VDDCR_VDD0 = 150, AMDSMI_TEMPERATURE_TYPE_GPUBOARD_VDDCR_VDD1 = 151, AMDSMI_TEMPERATURE_TYPE_GPUBOARD_VDDCR_VDD2 = 152, AMDSMI_TEMPERATURE_TYPE_GPUBOARD_VDDCR_VDD3 = 153, AMDSMI_TEMPERATURE_TYPE_GPUBOARD_VDDCR_SOC_A = 154, AMDSMI_TEMPERATURE_TYPE_GPUBOARD_VDDCR_SOC_C = 155, AMDSMI_TEMPERATURE_TYPE_GPUBOARD_VDDCR_SOCIO_A = 156, AMDSMI_TEMPERATURE_TYPE_GPUBOARD_VDDCR_SOCIO_C = 157, AMDSMI_TEMPERATURE_TYPE_GPUBOARD_VDD_085_HBM = 158, AMDSMI_TEMPERATURE_TYPE_GPUBOARD_VDDCR_11_HBM_B = 159, AMDSMI_TEMPERATURE_TYPE_GPUBOARD_VDDCR_11_HBM_D = 160, AMDSMI_TEMPERATURE_TYPE_GPUBOARD_VDD_USR = 161, AMDSMI_TEMPERATURE_TYPE_GPUBOARD_VDDIO_11_E32 = 162, AMDSMI_TEMPERATURE_TYPE_GPUBOARD_VDDIO_04_HBM_B = 163, AMDSMI_TEMPERATURE_TYPE_GPUBOARD_VDDIO_04_HBM_D = 164, AMDSMI_TEMPERATURE_TYPE_GPUBOARD_VDDCR_075_HBM_B = 165, AMDSMI_TEMPERATURE_TYPE_GPUBOARD_VDDCR_075_HBM_D = 166, AMDSMI_TEMPERATURE_TYPE_GPUBOARD_VDDIO_11_GTA_A = 167, AMDSMI_TEMPERATURE_TYPE_GPUBOARD_VDDIO_11_GTA_C = 168, AMDSMI_TEMPERATURE_TYPE_GPUBOARD_VDDAN_075_GTA_A = 169, AMDSMI_TEMPERATURE_TYPE_GPUBOARD_VDDAN_075_GTA_C = 170, AMDSMI_TEMPERATURE_TYPE_GPUBOARD_VDDCR_075_UCIE = 171, AMDSMI_TEMPERATURE_TYPE_GPUBOARD_VDDIO_065_UCIEAA = 172, AMDSMI_TEMPERATURE_TYPE_GPUBOARD_VDDIO_065_UCIEAM_A = 173, AMDSMI_TEMPERATURE_TYPE_GPUBOARD_VDDIO_065_UCIEAM_C = 174, AMDSMI_TEMPERATURE_TYPE_GPUBOARD_VDDAN_075 = 175, AMDSMI_TEMPERATURE_TYPE_GPUBOARD_VR_LAST = 199, AMDSMI_TEMPERATURE_TYPE_GPUBOARD_LAST = 175, AMDSMI_TEMPERATURE_TYPE_BASEBOARD_FIRST = 200, AMDSMI_TEMPERATURE_TYPE_BASEBOARD_UBB_FPGA = 200, AMDSMI_TEMPERATURE_TYPE_BASEBOARD_UBB_FRONT = 201, AMDSMI_TEMPERATURE_TYPE_BASEBOARD_UBB_BACK = 202, AMDSMI_TEMPERATURE_TYPE_BASEBOARD_UBB_OAM7 = 203, AMDSMI_TEMPERATURE_TYPE_BASEBOARD_UBB_IBC = 204, AMDSMI_TEMPERATURE_TYPE_BASEBOARD_UBB_UFPGA = 205, AMDSMI_TEMPERATURE_TYPE_BASEBOARD_UBB_OAM1 = 206, AMDSMI_TEMPERATURE_TYPE_BASEBOARD_OAM_0_1_HSC = 207, AMDSMI_TEMPERATURE_TYPE_BASEBOARD_OAM_2_3_HSC = 208, AMDSMI_TEMPERATURE_TYPE_BASEBOARD_OAM_4_5_HSC = 209, AMDSMI_TEMPERATURE_TYPE_BASEBOARD_OAM_6_7_HSC = 210, AMDSMI_TEMPERATURE_TYPE_BASEBOARD_UBB_FPGA_0V72_VR = 211, AMDSMI_TEMPERATURE_TYPE_BASEBOARD_UBB_FPGA_3V3_VR = 212, AMDSMI_TEMPERATURE_TYPE_BASEBOARD_RETIMER_0_1_2_3_1V2_VR = 213, AMDSMI_TEMPERATURE_TYPE_BASEBOARD_RETIMER_4_5_6_7_1V2_VR = 214, AMDSMI_TEMPERATURE_TYPE_BASEBOARD_RETIMER_0_1_0V9_VR = 215, AMDSMI_TEMPERATURE_TYPE_BASEBOARD_RETIMER_4_5_0V9_VR = 216, AMDSMI_TEMPERATURE_TYPE_BASEBOARD_RETIMER_2_3_0V9_VR = 217, AMDSMI_TEMPERATURE_TYPE_BASEBOARD_RETIMER_6_7_0V9_VR = 218, AMDSMI_TEMPERATURE_TYPE_BASEBOARD_OAM_0_1_2_3_3V3_VR = 219, AMDSMI_TEMPERATURE_TYPE_BASEBOARD_OAM_4_5_6_7_3V3_VR = 220, AMDSMI_TEMPERATURE_TYPE_BASEBOARD_IBC_HSC = 221, AMDSMI_TEMPERATURE_TYPE_BASEBOARD_IBC = 222, AMDSMI_TEMPERATURE_TYPE_BASEBOARD_LAST = 249, AMDSMI_TEMPERATURE_TYPE__MAX = 249 };
enum amdsmi_fw_block_t { AMDSMI_FW_ID_SMU = 1, AMDSMI_FW_ID_FIRST = 1, AMDSMI_FW_ID_CP_CE = 2, AMDSMI_FW_ID_CP_PFP = 3, AMDSMI_FW_ID_CP_ME = 4, AMDSMI_FW_ID_CP_MEC_JT1 = 5, AMDSMI_FW_ID_CP_MEC_JT2 = 6, AMDSMI_FW_ID_CP_MEC1 = 7, AMDSMI_FW_ID_CP_MEC2 = 8, AMDSMI_FW_ID_RLC = 9, AMDSMI_FW_ID_SDMA0 = 10, AMDSMI_FW_ID_SDMA1 = 11, AMDSMI_FW_ID_SDMA2 = 12, AMDSMI_FW_ID_SDMA3 = 13, AMDSMI_FW_ID_SDMA4 = 14, AMDSMI_FW_ID_SDMA5 = 15, AMDSMI_FW_ID_SDMA6 = 16, AMDSMI_FW_ID_SDMA7 = 17, AMDSMI_FW_ID_VCN = 18, AMDSMI_FW_ID_UVD = 19, AMDSMI_FW_ID_VCE = 20, AMDSMI_FW_ID_ISP = 21, AMDSMI_FW_ID_DMCU_ERAM = 22, AMDSMI_FW_ID_DMCU_ISR = 23, AMDSMI_FW_ID_RLC_RESTORE_LIST_GPM_MEM = 24, AMDSMI_FW_ID_RLC_RESTORE_LIST_SRM_MEM = 25, AMDSMI_FW_ID_RLC_RESTORE_LIST_CNTL = 26, AMDSMI_FW_ID_RLC_V = 27, AMDSMI_FW_ID_MMSCH = 28, AMDSMI_FW_ID_PSP_SYSDRV = 29, AMDSMI_FW_ID_PSP_SOSDRV = 30, AMDSMI_FW_ID_PSP_TOC = 31, AMDSMI_FW_ID_PSP_KEYDB = 32, AMDSMI_FW_ID_DFC = 33, AMDSMI_FW_ID_PSP_SPL = 34, AMDSMI_FW_ID_DRV_CAP = 35, AMDSMI_FW_ID_MC = 36, AMDSMI_FW_ID_PSP_BL = 37, AMDSMI_FW_ID_CP_PM4 = 38, AMDSMI_FW_ID_RLC_P = 39, AMDSMI_FW_ID_SEC_POLICY_STAGE2 = 40, AMDSMI_FW_ID_REG_ACCESS_WHITELIST = 41, AMDSMI_FW_ID_IMU_DRAM = 42, AMDSMI_FW_ID_IMU_IRAM = 43, AMDSMI_FW_ID_SDMA_TH0 = 44, AMDSMI_FW_ID_SDMA_TH1 = 45, AMDSMI_FW_ID_CP_MES = 46, AMDSMI_FW_ID_MES_KIQ = 47, AMDSMI_FW_ID_MES_STACK = 48, AMDSMI_FW_ID_MES_THREAD1 = 49, AMDSMI_FW_ID_MES_THREAD1_STACK = 50, AMDSMI_FW_ID_RLX6 = 51, AMDSMI_FW_ID_RLX6_DRAM_BOOT = 52, AMDSMI_FW_ID_RS64_ME = 53, AMDSMI_FW_ID_RS64_ME_P0_DATA = 54, AMDSMI_FW_ID_RS64_ME_P1_DATA = 55, AMDSMI_FW_ID_RS64_PFP = 56, AMDSMI_FW_ID_RS64_PFP_P0_DATA = 57, AMDSMI_FW_ID_RS64_PFP_P1_DATA = 58, AMDSMI_FW_ID_RS64_MEC = 59, AMDSMI_FW_ID_RS64_MEC_P0_DATA = 60, AMDSMI_FW_ID_RS64_MEC_P1_DATA = 61, AMDSMI_FW_ID_RS64_MEC_P2_DATA = 62, AMDSMI_FW_ID_RS64_MEC_P3_DATA = 63, AMDSMI_FW_ID_PPTABLE = 64, AMDSMI_FW_ID_PSP_SOC = 65, AMDSMI_FW_ID_PSP_DBG = 66, AMDSMI_FW_ID_PSP_INTF = 67, AMDSMI_FW_ID_RLX6_CORE1 = 68, AMDSMI_FW_ID_RLX6_DRAM_BOOT_CORE1 = 69, AMDSMI_FW_ID_RLCV_LX7 = 70, AMDSMI_FW_ID_RLC_SAVE_RESTORE_LIST = 71, AMDSMI_FW_ID_ASD = 72, AMDSMI_FW_ID_TA_RAS = 73, AMDSMI_FW_ID_TA_XGMI = 74, AMDSMI_FW_ID_RLC_SRLG = 75, AMDSMI_FW_ID_RLC_SRLS = 76, AMDSMI_FW_ID_PM = 77, AMDSMI_FW_ID_DMCU = 78, AMDSMI_FW_ID_PLDM_BUNDLE = 79, AMDSMI_FW_ID__MAX = 80 };
enum amdsmi_vram_type_t { AMDSMI_VRAM_TYPE_UNKNOWN = 0, AMDSMI_VRAM_TYPE_HBM = 1, AMDSMI_VRAM_TYPE_HBM2 = 2, AMDSMI_VRAM_TYPE_HBM2E = 3, AMDSMI_VRAM_TYPE_HBM3 = 4, AMDSMI_VRAM_TYPE_HBM3E = 5, AMDSMI_VRAM_TYPE_DDR2 = 10, AMDSMI_VRAM_TYPE_DDR3 = 11, AMDSMI_VRAM_TYPE_DDR4 = 12, AMDSMI_VRAM_TYPE_DDR5 = 13, AMDSMI_VRAM_TYPE_GDDR1 = 17, AMDSMI_VRAM_TYPE_GDDR2 = 18, AMDSMI_VRAM_TYPE_GDDR3 = 19, AMDSMI_VRAM_TYPE_GDDR4 = 20, AMDSMI_VRAM_TYPE_GDDR5 = 21, AMDSMI_VRAM_TYPE_GDDR6 = 22, AMDSMI_VRAM_TYPE_GDDR7 = 23, AMDSMI_VRAM_TYPE_LPDDR4 = 30, AMDSMI_VRAM_TYPE_LPDDR5 = 31, AMDSMI_VRAM_TYPE__MAX = 31 };
struct amdsmi_range_t { uint64_t lower_bound; uint64_t upper_bound; uint64_t reserved[2]; };
struct amdsmi_xgmi_info_t { uint8_t xgmi_lanes; uint64_t xgmi_hive_id; uint64_t xgmi_node_id; uint32_t index; uint32_t reserved[9]; };
struct amdsmi_vram_usage_t { uint32_t vram_total; uint32_t vram_used; uint32_t reserved[2]; };
struct amdsmi_violation_status_t { uint64_t reference_timestamp; uint64_t violation_timestamp; uint64_t acc_counter; uint64_t acc_prochot_thrm; uint64_t acc_ppt_pwr; uint64_t acc_socket_thrm; uint64_t acc_vr_thrm; uint64_t acc_hbm_thrm; uint64_t acc_gfx_clk_below_host_limit; uint64_t per_prochot_thrm; uint64_t per_ppt_pwr; uint64_t per_socket_thrm; uint64_t per_vr_thrm; uint64_t per_hbm_thrm; uint64_t per_gfx_clk_below_host_limit; uint8_t active_prochot_thrm; uint8_t active_ppt_pwr; uint8_t active_socket_thrm; uint8_t active_vr_thrm; uint8_t active_hbm_thrm; uint8_t active_gfx_clk_below_host_limit; uint64_t acc_gfx_clk_below_host_limit_pwr[8][8]; uint64_t acc_gfx_clk_below_host_limit_thm[8][8]; uint64_t acc_low_utilization[8][8]; uint64_t acc_gfx_clk_below_host_limit_total[8][8]; uint64_t per_gfx_clk_below_host_limit_pwr[8][8]; uint64_t per_gfx_clk_below_host_limit_thm[8][8]; uint64_t per_low_utilization[8][8]; uint64_t per_gfx_clk_below_host_limit_total[8][8]; uint8_t active_gfx_clk_below_host_limit_pwr[8][8]; uint8_t active_gfx_clk_below_host_limit_thm[8][8]; uint8_t active_low_utilization[8][8]; uint8_t active_gfx_clk_below_host_limit_total[8][8]; uint64_t reserved[8][8]; uint64_t reserved2[8][8]; uint64_t reserved3[8][8]; };
struct amdsmi_frequency_range_t { amdsmi_range_t supported_freq_range; amdsmi_range_t current_freq_range; uint32_t reserved[8]; };
struct amdsmi_bdf_t_bdf_ { uint64_t function_number; uint64_t device_number; uint64_t bus_number; uint64_t domain_number; };
union amdsmi_bdf_t { amdsmi_bdf_t_bdf_ bdf; uint64_t as_uint; };
struct amdsmi_enumeration_info_t { uint32_t drm_render; uint32_t drm_card; uint32_t hsa_id; uint32_t hip_id; char hip_uuid[256]; uint32_t oam_id; };
enum amdsmi_card_form_factor_t { AMDSMI_CARD_FORM_FACTOR_PCIE = 0, AMDSMI_CARD_FORM_FACTOR_OAM = 1, AMDSMI_CARD_FORM_FACTOR_CEM = 2, AMDSMI_CARD_FORM_FACTOR_UNKNOWN = 3 };
struct amdsmi_pcie_info_t_pcie_static_ { uint16_t max_pcie_width; uint32_t max_pcie_speed; uint32_t pcie_interface_version; amdsmi_card_form_factor_t slot_type; uint32_t max_pcie_interface_version; uint64_t reserved[9]; };
struct amdsmi_pcie_info_t_pcie_metric_ { uint16_t pcie_width; uint32_t pcie_speed; uint32_t pcie_bandwidth; uint64_t pcie_replay_count; uint64_t pcie_l0_to_recovery_count; uint64_t pcie_replay_roll_over_count; uint64_t pcie_nak_sent_count; uint64_t pcie_nak_received_count; uint32_t pcie_lc_perf_other_end_recovery_count; uint64_t reserved[12]; };
struct amdsmi_pcie_info_t { amdsmi_pcie_info_t_pcie_static_ pcie_static; amdsmi_pcie_info_t_pcie_metric_ pcie_metric; uint64_t reserved[32]; };
struct amdsmi_power_cap_info_t { uint64_t power_cap; uint64_t default_power_cap; uint64_t dpm_cap; uint64_t min_power_cap; uint64_t max_power_cap; uint64_t reserved[3]; };
enum amdsmi_power_cap_type_t { AMDSMI_POWER_CAP_TYPE_PPT0 = 0, AMDSMI_POWER_CAP_TYPE_PPT1 = 1 };
struct amdsmi_vbios_info_t { char name[256]; char build_date[256]; char part_number[256]; char version[256]; char boot_firmware[256]; uint64_t reserved[36]; };
enum amdsmi_cache_property_type_t { AMDSMI_CACHE_PROPERTY_ENABLED = 1, AMDSMI_CACHE_PROPERTY_DATA_CACHE = 2, AMDSMI_CACHE_PROPERTY_INST_CACHE = 4, AMDSMI_CACHE_PROPERTY_CPU_CACHE = 8, AMDSMI_CACHE_PROPERTY_SIMD_CACHE = 16 };
struct amdsmi_gpu_cache_info_t_cache_ { uint32_t cache_properties; uint32_t cache_size; uint32_t cache_level; uint32_t max_num_cu_shared; uint32_t num_cache_instance; uint32_t reserved[3]; };
struct amdsmi_gpu_cache_info_t { uint32_t num_cache_types; amdsmi_gpu_cache_info_t_cache_ cache[10]; uint32_t reserved[15]; };
struct amdsmi_fw_info_t_fw_info_list_ { amdsmi_fw_block_t fw_id; uint64_t fw_version; uint64_t reserved[2]; };
struct amdsmi_fw_info_t { uint8_t num_fw_info; amdsmi_fw_info_t_fw_info_list_ fw_info_list[80]; uint32_t reserved[7]; };
struct amdsmi_asic_info_t { char market_name[256]; uint32_t vendor_id; char vendor_name[256]; uint32_t subvendor_id; uint64_t device_id; uint32_t rev_id; char asic_serial[256]; uint32_t oam_id; uint32_t num_of_compute_units; uint64_t target_graphics_version; uint32_t subsystem_id; uint64_t flags; uint32_t reserved[18]; };
struct amdsmi_kfd_info_t { uint64_t kfd_id; uint32_t node_id; uint32_t current_partition_id; uint32_t reserved[12]; };
struct amdsmi_nps_caps_t_nps_flags_ { uint32_t nps1_cap; uint32_t nps2_cap; uint32_t nps4_cap; uint32_t nps8_cap; uint32_t reserved; };
union amdsmi_nps_caps_t { amdsmi_nps_caps_t_nps_flags_ nps_flags; uint32_t nps_cap_mask; };
struct amdsmi_memory_partition_config_t_numa_range_ { amdsmi_vram_type_t memory_type; uint64_t start; uint64_t end; };
struct amdsmi_memory_partition_config_t { amdsmi_nps_caps_t partition_caps; amdsmi_memory_partition_type_t mp_mode; uint32_t num_numa_ranges; amdsmi_memory_partition_config_t_numa_range_ numa_range[32]; uint64_t reserved[11]; };
struct amdsmi_accelerator_partition_profile_t { amdsmi_accelerator_partition_type_t profile_type; uint32_t num_partitions; amdsmi_nps_caps_t memory_caps; uint32_t profile_index; uint32_t num_resources; uint32_t resources[8][32]; uint64_t reserved[13]; };
struct amdsmi_accelerator_partition_resource_profile_t { uint32_t profile_index; amdsmi_accelerator_partition_resource_type_t resource_type; uint32_t partition_resource; uint32_t num_partitions_share_resource; uint64_t reserved[6]; };
struct amdsmi_accelerator_partition_profile_config_t { uint32_t num_profiles; uint32_t num_resource_profiles; amdsmi_accelerator_partition_resource_profile_t resource_profiles[32]; uint32_t default_profile_index; amdsmi_accelerator_partition_profile_t profiles[32]; uint64_t reserved[30]; };
enum amdsmi_link_type_t { AMDSMI_LINK_TYPE_INTERNAL = 0, AMDSMI_LINK_TYPE_PCIE = 1, AMDSMI_LINK_TYPE_XGMI = 2, AMDSMI_LINK_TYPE_NOT_APPLICABLE = 3, AMDSMI_LINK_TYPE_UNKNOWN = 4, AMDSMI_LINK_TYPE_NUMA = 5, AMDSMI_LINK_TYPE_XNUMA = 6 };
struct amdsmi_cpu_util_t { uint32_t cpu_util_total; uint32_t cpu_util_user; uint32_t cpu_util_nice; uint32_t cpu_util_sys; uint32_t cpu_util_irq; };
enum amdsmi_link_status_t { AMDSMI_LINK_STATUS_ENABLED = 0, AMDSMI_LINK_STATUS_DISABLED = 1, AMDSMI_LINK_STATUS_INACTIVE = 2, AMDSMI_LINK_STATUS_ERROR = 3 };
struct amdsmi_link_metrics_t__links { amdsmi_bdf_t bdf; uint32_t bit_rate; uint32_t max_bandwidth; amdsmi_link_type_t link_type; uint64_t read; uint64_t write; amdsmi_link_status_t link_status; uint64_t reserved[1]; };
struct amdsmi_link_metrics_t { uint32_t num_links; amdsmi_link_metrics_t__links links[64]; uint64_t reserved[7]; };
struct amdsmi_vram_info_t { amdsmi_vram_type_t vram_type; char vram_vendor[256]; uint64_t vram_size; uint32_t vram_bit_width; uint64_t vram_max_bandwidth; uint64_t reserved[37]; };
struct amdsmi_driver_info_t { char driver_version[256]; char driver_date[256]; char driver_name[256]; };
struct amdsmi_board_info_t { char model_number[256]; char product_serial[256]; char fru_id[256]; char product_name[256]; char manufacturer_name[256]; uint64_t reserved[64]; };
struct amdsmi_power_info_t { uint64_t socket_power; uint32_t current_socket_power; uint32_t average_socket_power; uint64_t gfx_voltage; uint64_t soc_voltage; uint64_t mem_voltage; uint32_t power_limit; uint32_t ubb_power; uint64_t reserved[18]; };
struct amdsmi_clk_info_t { uint32_t clk; uint32_t min_clk; uint32_t max_clk; uint8_t clk_locked; uint8_t clk_deep_sleep; uint32_t reserved[4]; };
struct amdsmi_engine_usage_t { uint32_t gfx_activity; uint32_t umc_activity; uint32_t mm_activity; uint32_t reserved[13]; };
typedef uint32_t amdsmi_process_handle_t;
struct amdsmi_proc_info_t_engine_usage_ { uint64_t gfx; uint64_t enc; uint32_t reserved[12]; };
struct amdsmi_proc_info_t_memory_usage_ { uint64_t gtt_mem; uint64_t cpu_mem; uint64_t vram_mem; uint32_t reserved[10]; };
struct amdsmi_proc_info_t { char name[256]; uint32_t pid; uint64_t mem; amdsmi_proc_info_t_engine_usage_ engine_usage; amdsmi_proc_info_t_memory_usage_ memory_usage; char container_name[256]; uint32_t cu_occupancy; uint32_t evicted_time; uint64_t sdma_usage; uint32_t reserved[8]; };
struct amdsmi_proc_gpu_entry_t_struct_0 { uint64_t gfx; uint64_t enc; uint32_t reserved[12]; };
struct amdsmi_proc_gpu_entry_t_struct_1 { uint64_t gtt_mem; uint64_t cpu_mem; uint64_t vram_mem; uint32_t reserved[10]; };
struct amdsmi_proc_gpu_entry_t { uint32_t gpu_index; uint64_t mem; amdsmi_proc_gpu_entry_t_struct_0 engine_usage; amdsmi_proc_gpu_entry_t_struct_1 memory_usage; uint32_t cu_occupancy; uint32_t evicted_time; uint64_t sdma_usage; uint32_t reserved[8]; };
struct amdsmi_proc_info_by_pid_t { uint32_t pid; char name[256]; char container_name[256]; uint32_t num_gpus; amdsmi_proc_gpu_entry_t gpus[32]; };
struct amdsmi_p2p_capability_t { uint8_t is_iolink_coherent; uint8_t is_iolink_atomics_32bit; uint8_t is_iolink_atomics_64bit; uint8_t is_iolink_dma; uint8_t is_iolink_bi_directional; };
enum amdsmi_dev_perf_level_t { AMDSMI_DEV_PERF_LEVEL_AUTO = 0, AMDSMI_DEV_PERF_LEVEL_FIRST = 0, AMDSMI_DEV_PERF_LEVEL_LOW = 1, AMDSMI_DEV_PERF_LEVEL_HIGH = 2, AMDSMI_DEV_PERF_LEVEL_MANUAL = 3, AMDSMI_DEV_PERF_LEVEL_STABLE_STD = 4, AMDSMI_DEV_PERF_LEVEL_STABLE_PEAK = 5, AMDSMI_DEV_PERF_LEVEL_STABLE_MIN_MCLK = 6, AMDSMI_DEV_PERF_LEVEL_STABLE_MIN_SCLK = 7, AMDSMI_DEV_PERF_LEVEL_DETERMINISM = 8, AMDSMI_DEV_PERF_LEVEL_LAST = 8, AMDSMI_DEV_PERF_LEVEL_UNKNOWN = 256 };
typedef uintptr_t amdsmi_event_handle_t;
enum amdsmi_event_group_t { AMDSMI_EVNT_GRP_XGMI = 0, AMDSMI_EVNT_GRP_XGMI_DATA_OUT = 10, AMDSMI_EVNT_GRP_INVALID = 4294967295 };
enum amdsmi_event_type_t { AMDSMI_EVNT_FIRST = 0, AMDSMI_EVNT_XGMI_FIRST = 0, AMDSMI_EVNT_XGMI_0_NOP_TX = 0, AMDSMI_EVNT_XGMI_0_REQUEST_TX = 1, AMDSMI_EVNT_XGMI_0_RESPONSE_TX = 2, AMDSMI_EVNT_XGMI_0_BEATS_TX = 3, AMDSMI_EVNT_XGMI_1_NOP_TX = 4, AMDSMI_EVNT_XGMI_1_REQUEST_TX = 5, AMDSMI_EVNT_XGMI_1_RESPONSE_TX = 6, AMDSMI_EVNT_XGMI_1_BEATS_TX = 7, AMDSMI_EVNT_XGMI_LAST = 7, AMDSMI_EVNT_XGMI_DATA_OUT_FIRST = 10, AMDSMI_EVNT_XGMI_DATA_OUT_0 = 10, AMDSMI_EVNT_XGMI_DATA_OUT_1 = 11, AMDSMI_EVNT_XGMI_DATA_OUT_2 = 12, AMDSMI_EVNT_XGMI_DATA_OUT_3 = 13, AMDSMI_EVNT_XGMI_DATA_OUT_4 = 14, AMDSMI_EVNT_XGMI_DATA_OUT_5 = 15, AMDSMI_EVNT_XGMI_DATA_OUT_LAST = 15, AMDSMI_EVNT_LAST = 15 };
enum amdsmi_counter_command_t { AMDSMI_CNTR_CMD_START = 0, AMDSMI_CNTR_CMD_STOP = 1 };
struct amdsmi_counter_value_t { uint64_t value; uint64_t time_enabled; uint64_t time_running; };
enum amdsmi_evt_notification_type_t { AMDSMI_EVT_NOTIF_NONE = 0, AMDSMI_EVT_NOTIF_VMFAULT = 1, AMDSMI_EVT_NOTIF_FIRST = 1, AMDSMI_EVT_NOTIF_THERMAL_THROTTLE = 2, AMDSMI_EVT_NOTIF_GPU_PRE_RESET = 3, AMDSMI_EVT_NOTIF_GPU_POST_RESET = 4, AMDSMI_EVT_NOTIF_MIGRATE_START = 5, AMDSMI_EVT_NOTIF_MIGRATE_END = 6, AMDSMI_EVT_NOTIF_PAGE_FAULT_START = 7, AMDSMI_EVT_NOTIF_PAGE_FAULT_END = 8, AMDSMI_EVT_NOTIF_QUEUE_EVICTION = 9, AMDSMI_EVT_NOTIF_QUEUE_RESTORE = 10, AMDSMI_EVT_NOTIF_UNMAP_FROM_GPU = 11, AMDSMI_EVT_NOTIF_PROCESS_START = 12, AMDSMI_EVT_NOTIF_PROCESS_END = 13, AMDSMI_EVT_NOTIF_LAST = 13 };
struct amdsmi_evt_notification_data_t { void *processor_handle; amdsmi_evt_notification_type_t event; char message[256]; };
enum amdsmi_temperature_metric_t { AMDSMI_TEMP_CURRENT = 0, AMDSMI_TEMP_FIRST = 0, AMDSMI_TEMP_MAX = 1, AMDSMI_TEMP_MIN = 2, AMDSMI_TEMP_MAX_HYST = 3, AMDSMI_TEMP_MIN_HYST = 4, AMDSMI_TEMP_CRITICAL = 5, AMDSMI_TEMP_CRITICAL_HYST = 6, AMDSMI_TEMP_EMERGENCY = 7, AMDSMI_TEMP_EMERGENCY_HYST = 8, AMDSMI_TEMP_CRIT_MIN = 9, AMDSMI_TEMP_CRIT_MIN_HYST = 10, AMDSMI_TEMP_OFFSET = 11, AMDSMI_TEMP_LOWEST = 12, AMDSMI_TEMP_HIGHEST = 13, AMDSMI_TEMP_SHUTDOWN = 14, AMDSMI_TEMP_LAST = 14 };
enum amdsmi_voltage_metric_t { AMDSMI_VOLT_CURRENT = 0, AMDSMI_VOLT_FIRST = 0, AMDSMI_VOLT_MAX = 1, AMDSMI_VOLT_MIN_CRIT = 2, AMDSMI_VOLT_MIN = 3, AMDSMI_VOLT_MAX_CRIT = 4, AMDSMI_VOLT_AVERAGE = 5, AMDSMI_VOLT_LOWEST = 6, AMDSMI_VOLT_HIGHEST = 7, AMDSMI_VOLT_LAST = 7 };
enum amdsmi_voltage_type_t { AMDSMI_VOLT_TYPE_FIRST = 0, AMDSMI_VOLT_TYPE_VDDGFX = 0, AMDSMI_VOLT_TYPE_VDDBOARD = 1, AMDSMI_VOLT_TYPE_LAST = 1, AMDSMI_VOLT_TYPE_INVALID = 4294967295 };
enum amdsmi_power_profile_preset_masks_t { AMDSMI_PWR_PROF_PRST_CUSTOM_MASK = 1, AMDSMI_PWR_PROF_PRST_VIDEO_MASK = 2, AMDSMI_PWR_PROF_PRST_POWER_SAVING_MASK = 4, AMDSMI_PWR_PROF_PRST_COMPUTE_MASK = 8, AMDSMI_PWR_PROF_PRST_VR_MASK = 16, AMDSMI_PWR_PROF_PRST_3D_FULL_SCR_MASK = 32, AMDSMI_PWR_PROF_PRST_BOOTUP_DEFAULT = 64, AMDSMI_PWR_PROF_PRST_LAST = 64, AMDSMI_PWR_PROF_PRST_INVALID = 18446744073709551615 };
enum amdsmi_gpu_block_t { AMDSMI_GPU_BLOCK_INVALID = 0, AMDSMI_GPU_BLOCK_FIRST = 1, AMDSMI_GPU_BLOCK_UMC = 1, AMDSMI_GPU_BLOCK_SDMA = 2, AMDSMI_GPU_BLOCK_GFX = 4, AMDSMI_GPU_BLOCK_MMHUB = 8, AMDSMI_GPU_BLOCK_ATHUB = 16, AMDSMI_GPU_BLOCK_PCIE_BIF = 32, AMDSMI_GPU_BLOCK_HDP = 64, AMDSMI_GPU_BLOCK_XGMI_WAFL = 128, AMDSMI_GPU_BLOCK_DF = 256, AMDSMI_GPU_BLOCK_SMN = 512, AMDSMI_GPU_BLOCK_SEM = 1024, AMDSMI_GPU_BLOCK_MP0 = 2048, AMDSMI_GPU_BLOCK_MP1 = 4096, AMDSMI_GPU_BLOCK_FUSE = 8192, AMDSMI_GPU_BLOCK_MCA = 16384, AMDSMI_GPU_BLOCK_VCN = 32768, AMDSMI_GPU_BLOCK_JPEG = 65536, AMDSMI_GPU_BLOCK_IH = 131072, AMDSMI_GPU_BLOCK_MPIO = 262144, AMDSMI_GPU_BLOCK_LAST = 262144, AMDSMI_GPU_BLOCK_RESERVED = 9223372036854775808 };
enum amdsmi_clk_limit_type_t { AMDSMI_CLK_LIMIT_MIN = 0, AMDSMI_CLK_LIMIT_MAX = 1, CLK_LIMIT_MIN = 0, CLK_LIMIT_MAX = 1 };
enum amdsmi_cper_sev_t { AMDSMI_CPER_SEV_NON_FATAL_UNCORRECTED = 0, AMDSMI_CPER_SEV_FATAL = 1, AMDSMI_CPER_SEV_NON_FATAL_CORRECTED = 2, AMDSMI_CPER_SEV_NUM = 3, AMDSMI_CPER_SEV_UNUSED = 10 };
enum amdsmi_cper_notify_type_t { AMDSMI_CPER_NOTIFY_TYPE_CMC = 4976123370175105969, AMDSMI_CPER_NOTIFY_TYPE_CPE = 5356425115412803478, AMDSMI_CPER_NOTIFY_TYPE_MCE = 5531987820403847166, AMDSMI_CPER_NOTIFY_TYPE_PCIE = 5619395120325705759, AMDSMI_CPER_NOTIFY_TYPE_INIT = 4992964802890589160, AMDSMI_CPER_NOTIFY_TYPE_NMI = 4812579876830546431, AMDSMI_CPER_NOTIFY_TYPE_BOOT = 4655221457236894822, AMDSMI_CPER_NOTIFY_TYPE_DMAR = 5487573144795207569, AMDSMI_CPER_NOTIFY_TYPE_SEA = 1289362001033197706, AMDSMI_CPER_NOTIFY_TYPE_SEI = 5658685719731260545, AMDSMI_CPER_NOTIFY_TYPE_PEI = 4761520883332928940, AMDSMI_CPER_NOTIFY_TYPE_CXL_COMPONENT = 5306157213770398665 };
struct amdsmi_gpu_ras_policy_v4_0_t { uint16_t dram_non_critical_region_threshold; uint16_t dram_critical_region_threshold; };
union amdsmi_gpu_ras_policy_info_t_policy_data_ { amdsmi_gpu_ras_policy_v4_0_t v4_0; uint64_t info[5]; };
struct amdsmi_gpu_ras_policy_info_t { uint8_t major_version; uint8_t minor_version; amdsmi_gpu_ras_policy_info_t_policy_data_ policy_data; };
enum amdsmi_ras_err_state_t { AMDSMI_RAS_ERR_STATE_NONE = 0, AMDSMI_RAS_ERR_STATE_DISABLED = 1, AMDSMI_RAS_ERR_STATE_PARITY = 2, AMDSMI_RAS_ERR_STATE_SING_C = 3, AMDSMI_RAS_ERR_STATE_MULT_UC = 4, AMDSMI_RAS_ERR_STATE_POISON = 5, AMDSMI_RAS_ERR_STATE_ENABLED = 6, AMDSMI_RAS_ERR_STATE_LAST = 6, AMDSMI_RAS_ERR_STATE_INVALID = 4294967295 };
enum amdsmi_memory_type_t { AMDSMI_MEM_TYPE_FIRST = 0, AMDSMI_MEM_TYPE_VRAM = 0, AMDSMI_MEM_TYPE_VIS_VRAM = 1, AMDSMI_MEM_TYPE_GTT = 2, AMDSMI_MEM_TYPE_LAST = 2 };
enum amdsmi_freq_ind_t { AMDSMI_FREQ_IND_MIN = 0, AMDSMI_FREQ_IND_MAX = 1, AMDSMI_FREQ_IND_INVALID = 4294967295 };
enum amdsmi_xgmi_status_t { AMDSMI_XGMI_STATUS_NO_ERRORS = 0, AMDSMI_XGMI_STATUS_ERROR = 1, AMDSMI_XGMI_STATUS_MULTIPLE_ERRORS = 2 };
typedef uint64_t amdsmi_bit_field_t;
enum amdsmi_memory_page_status_t { AMDSMI_MEM_PAGE_STATUS_RESERVED = 0, AMDSMI_MEM_PAGE_STATUS_PENDING = 1, AMDSMI_MEM_PAGE_STATUS_UNRESERVABLE = 2 };
enum amdsmi_utilization_counter_type_t { AMDSMI_UTILIZATION_COUNTER_FIRST = 0, AMDSMI_COARSE_GRAIN_GFX_ACTIVITY = 0, AMDSMI_COARSE_GRAIN_MEM_ACTIVITY = 1, AMDSMI_COARSE_DECODER_ACTIVITY = 2, AMDSMI_FINE_GRAIN_GFX_ACTIVITY = 100, AMDSMI_FINE_GRAIN_MEM_ACTIVITY = 101, AMDSMI_FINE_DECODER_ACTIVITY = 102, AMDSMI_UTILIZATION_COUNTER_LAST = 102 };
struct amdsmi_utilization_counter_t { amdsmi_utilization_counter_type_t type; uint64_t value; uint64_t fine_value[4]; uint16_t fine_value_count; };
struct amdsmi_retired_page_record_t { uint64_t page_address; uint64_t page_size; amdsmi_memory_page_status_t status; };
struct amdsmi_power_profile_status_t { uint64_t available_profiles; amdsmi_power_profile_preset_masks_t current; uint32_t num_profiles; };
struct amdsmi_frequencies_t { bool has_deep_sleep; uint32_t num_supported; uint32_t current; uint64_t frequency[33]; };
struct amdsmi_dpm_policy_entry_t { uint32_t policy_id; char policy_description[256]; };
struct amdsmi_dpm_policy_t { uint32_t num_supported; uint32_t current; amdsmi_dpm_policy_entry_t policies[32]; };
struct amdsmi_pcie_bandwidth_t { amdsmi_frequencies_t transfer_rate; uint32_t lanes[33]; };
struct amdsmi_version_t { uint32_t major; uint32_t minor; uint32_t release; const char *build; };
struct amdsmi_od_vddc_point_t { uint64_t frequency; uint64_t voltage; };
struct amdsmi_freq_volt_region_t { amdsmi_range_t freq_range; amdsmi_range_t volt_range; };
struct amdsmi_od_volt_curve_t { amdsmi_od_vddc_point_t vc_points[3]; };
struct amdsmi_od_volt_freq_data_t { amdsmi_range_t curr_sclk_range; amdsmi_range_t curr_mclk_range; amdsmi_range_t curr_fclk_range; amdsmi_range_t sclk_freq_limits; amdsmi_range_t mclk_freq_limits; amdsmi_range_t fclk_freq_limits; amdsmi_od_volt_curve_t curve; uint32_t num_regions; };
struct amd_metrics_table_header_t { uint16_t structure_size; uint8_t format_revision; uint8_t content_revision; };
struct amdsmi_gpu_xcp_metrics_t { uint32_t gfx_busy_inst[8]; uint16_t jpeg_busy[40]; uint16_t vcn_busy[4]; uint64_t gfx_busy_acc[8]; uint64_t gfx_below_host_limit_acc[8]; uint64_t gfx_below_host_limit_ppt_acc[8]; uint64_t gfx_below_host_limit_thm_acc[8]; uint64_t gfx_low_utilization_acc[8]; uint64_t gfx_below_host_limit_total_acc[8]; uint16_t temperature_xcd[8]; };
struct amdsmi_apu_metrics_t { uint16_t temperature_gfx; uint16_t temperature_soc; uint16_t temperature_core[16]; uint16_t temperature_l3[2]; uint16_t temperature_skin; uint16_t average_gfx_activity; uint16_t average_mm_activity; uint16_t average_vcn_activity; uint16_t average_ipu_activity[8]; uint16_t average_core_c0_activity[16]; uint16_t average_dram_reads; uint16_t average_dram_writes; uint16_t average_ipu_reads; uint16_t average_ipu_writes; uint32_t average_socket_power; uint16_t average_cpu_power; uint16_t average_soc_power; uint32_t average_gfx_power; uint16_t average_core_power[16]; uint16_t average_ipu_power; uint32_t average_apu_power; uint32_t average_dgpu_power; uint32_t average_all_core_power; uint16_t average_sys_power; uint16_t stapm_power_limit; uint16_t current_stapm_power_limit; uint16_t average_gfxclk_frequency; uint16_t average_socclk_frequency; uint16_t average_uclk_frequency; uint16_t average_fclk_frequency; uint16_t average_vclk_frequency; uint16_t average_dclk_frequency; uint16_t average_vpeclk_frequency; uint16_t average_ipuclk_frequency; uint16_t average_mpipu_frequency; uint16_t current_gfxclk; uint16_t current_socclk; uint16_t current_uclk; uint16_t current_fclk; uint16_t current_vclk; uint16_t current_dclk; uint16_t current_coreclk[16]; uint16_t current_l3clk[2]; uint16_t current_core_maxfreq; uint16_t current_gfx_maxfreq; uint32_t throttle_status; uint64_t indep_throttle_status; uint32_t throttle_residency_prochot; uint32_t throttle_residency_spl; uint32_t throttle_residency_fppt; uint32_t throttle_residency_sppt; uint32_t throttle_residency_thm_core; uint32_t throttle_residency_thm_gfx; uint32_t throttle_residency_thm_soc; uint16_t fan_pwm; uint16_t average_temperature_gfx; uint16_t average_temperature_soc; uint16_t average_temperature_core[16]; uint16_t average_temperature_l3[2]; uint16_t average_cpu_voltage; uint16_t average_soc_voltage; uint16_t average_gfx_voltage; uint16_t average_cpu_current; uint16_t average_soc_current; uint16_t average_gfx_current; uint32_t time_filter_alphavalue; };
struct amdsmi_gpu_metrics_t { amd_metrics_table_header_t common_header; uint16_t temperature_edge; uint16_t temperature_hotspot; uint16_t temperature_mem; uint16_t temperature_vrgfx; uint16_t temperature_vrsoc; uint16_t temperature_vrmem; uint16_t average_gfx_activity; uint16_t average_umc_activity; uint16_t average_mm_activity; uint16_t average_socket_power; uint64_t energy_accumulator; uint64_t system_clock_counter; uint16_t average_gfxclk_frequency; uint16_t average_socclk_frequency; uint16_t average_uclk_frequency; uint16_t average_vclk0_frequency; uint16_t average_dclk0_frequency; uint16_t average_vclk1_frequency; uint16_t average_dclk1_frequency; uint16_t current_gfxclk; uint16_t current_socclk; uint16_t current_uclk; uint16_t current_vclk0; uint16_t current_dclk0; uint16_t current_vclk1; uint16_t current_dclk1; uint32_t throttle_status; uint16_t current_fan_speed; uint16_t pcie_link_width; uint16_t pcie_link_speed; uint64_t gfx_activity_acc; uint64_t mem_activity_acc; uint16_t temperature_hbm[4]; uint64_t firmware_timestamp; uint16_t voltage_soc; uint16_t voltage_gfx; uint16_t voltage_mem; uint64_t indep_throttle_status; uint16_t current_socket_power; uint16_t vcn_activity[4]; uint32_t gfxclk_lock_status; uint16_t xgmi_link_width; uint16_t xgmi_link_speed; uint64_t pcie_bandwidth_acc; uint64_t pcie_bandwidth_inst; uint64_t pcie_l0_to_recov_count_acc; uint64_t pcie_replay_count_acc; uint64_t pcie_replay_rover_count_acc; uint64_t xgmi_read_data_acc[8]; uint64_t xgmi_write_data_acc[8]; uint16_t current_gfxclks[8]; uint16_t current_socclks[4]; uint16_t current_vclk0s[4]; uint16_t current_dclk0s[4]; uint16_t jpeg_activity[32]; uint64_t pcie_nak_sent_count_acc; uint64_t pcie_nak_rcvd_count_acc; uint64_t accumulation_counter; uint64_t prochot_residency_acc; uint64_t ppt_residency_acc; uint64_t socket_thm_residency_acc; uint64_t vr_thm_residency_acc; uint64_t hbm_thm_residency_acc; uint16_t num_partition; amdsmi_gpu_xcp_metrics_t xcp_stats[8]; uint64_t pcie_lc_perf_other_end_recovery; uint64_t vram_max_bandwidth; uint16_t xgmi_link_status[8]; uint16_t temperature_hbm_stacks[12]; uint16_t temperature_mid[2]; uint16_t temperature_aid[2]; uint16_t current_uclk_aid[2]; uint16_t current_socclks_mid[2]; amdsmi_apu_metrics_t *apu_metrics; };
enum amdsmi_xgmi_link_status_type_t { AMDSMI_XGMI_LINK_DOWN = 0, AMDSMI_XGMI_LINK_UP = 1, AMDSMI_XGMI_LINK_DISABLE = 2 };
struct amdsmi_xgmi_link_status_t { uint32_t total_links; amdsmi_xgmi_link_status_type_t status[8]; uint64_t reserved[7]; };
struct amdsmi_name_value_t { char name[256]; uint64_t value; };
enum amdsmi_reg_type_t { AMDSMI_REG_XGMI = 0, AMDSMI_REG_WAFL = 1, AMDSMI_REG_PCIE = 2, AMDSMI_REG_USR = 3, AMDSMI_REG_USR1 = 4 };
struct amdsmi_ras_feature_t_ras_info_ { uint32_t dram_ecc; uint32_t sram_ecc; uint32_t poisoning; uint32_t rsvd; };
struct amdsmi_ras_feature_t { uint32_t ras_eeprom_version; uint32_t ecc_correction_schema_flag; amdsmi_ras_feature_t_ras_info_ ras_info; bool needs_reboot; };
struct amdsmi_error_count_t { uint64_t correctable_count; uint64_t uncorrectable_count; uint64_t deferred_count; uint64_t reserved[5]; };
struct amdsmi_process_info_t { uint32_t process_id; uint64_t vram_usage; uint64_t sdma_usage; uint32_t cu_occupancy; uint32_t evicted_time; };
struct amdsmi_topology_nearest_t { uint32_t count; void *processor_list[256]; uint64_t reserved[15]; };
enum amdsmi_virtualization_mode_t { AMDSMI_VIRTUALIZATION_MODE_UNKNOWN = 0, AMDSMI_VIRTUALIZATION_MODE_BAREMETAL = 1, AMDSMI_VIRTUALIZATION_MODE_HOST = 2, AMDSMI_VIRTUALIZATION_MODE_GUEST = 3, AMDSMI_VIRTUALIZATION_MODE_PASSTHROUGH = 4 };
enum amdsmi_affinity_scope_t { AMDSMI_AFFINITY_SCOPE_NODE = 0, AMDSMI_AFFINITY_SCOPE_SOCKET = 1 };
enum amdsmi_npm_status_t { AMDSMI_NPM_STATUS_DISABLED = 0, AMDSMI_NPM_STATUS_ENABLED = 1 };
struct amdsmi_npm_info_t { amdsmi_npm_status_t status; uint64_t limit; uint32_t ubb_power_threshold; uint64_t reserved[5]; };
enum amdsmi_ptl_data_format_t { AMDSMI_PTL_DATA_FORMAT_I8 = 0, AMDSMI_PTL_DATA_FORMAT_F16 = 1, AMDSMI_PTL_DATA_FORMAT_BF16 = 2, AMDSMI_PTL_DATA_FORMAT_F32 = 3, AMDSMI_PTL_DATA_FORMAT_F64 = 4, AMDSMI_PTL_DATA_FORMAT_F8 = 5, AMDSMI_PTL_DATA_FORMAT_VECTOR = 6, AMDSMI_PTL_DATA_FORMAT_INVALID = 4294967295 };
struct amdsmi_smu_fw_version_t { uint8_t debug; uint8_t minor; uint8_t major; uint8_t unused; };
struct amdsmi_ddr_bw_metrics_t { uint32_t max_bw; uint32_t utilized_bw; uint32_t utilized_pct; };
struct amdsmi_temp_range_refresh_rate_t { uint8_t range; uint8_t ref_rate; };
struct amdsmi_dimm_power_t { uint16_t power; uint16_t update_rate; uint8_t dimm_addr; };
struct amdsmi_dimm_thermal_t { uint16_t sensor; uint16_t update_rate; uint8_t dimm_addr; float temp; };
enum amdsmi_io_bw_encoding_t { AMDSMI_AGG_BW0 = 1, AMDSMI_RD_BW0 = 2, AMDSMI_WR_BW0 = 4, AGG_BW0 = 1, RD_BW0 = 2, WR_BW0 = 4 };
struct amdsmi_link_id_bw_type_t { amdsmi_io_bw_encoding_t bw_type; char *link_name; };
struct amdsmi_dpm_level_t { uint8_t max_dpm_level; uint8_t min_dpm_level; };
struct amdsmi_hsmp_metrics_table_t { uint32_t accumulation_counter; uint32_t max_socket_temperature; uint32_t max_vr_temperature; uint32_t max_hbm_temperature; uint64_t max_socket_temperature_acc; uint64_t max_vr_temperature_acc; uint64_t max_hbm_temperature_acc; uint32_t socket_power_limit; uint32_t max_socket_power_limit; uint32_t socket_power; uint64_t timestamp; uint64_t socket_energy_acc; uint64_t ccd_energy_acc; uint64_t xcd_energy_acc; uint64_t aid_energy_acc; uint64_t hbm_energy_acc; uint32_t cclk_frequency_limit; uint32_t gfxclk_frequency_limit; uint32_t fclk_frequency; uint32_t uclk_frequency; uint32_t socclk_frequency[4]; uint32_t vclk_frequency[4]; uint32_t dclk_frequency[4]; uint32_t lclk_frequency[4]; uint64_t gfxclk_frequency_acc[8]; uint64_t cclk_frequency_acc[96]; uint32_t max_cclk_frequency; uint32_t min_cclk_frequency; uint32_t max_gfxclk_frequency; uint32_t min_gfxclk_frequency; uint32_t fclk_frequency_table[4]; uint32_t uclk_frequency_table[4]; uint32_t socclk_frequency_table[4]; uint32_t vclk_frequency_table[4]; uint32_t dclk_frequency_table[4]; uint32_t lclk_frequency_table[4]; uint32_t max_lclk_dpm_range; uint32_t min_lclk_dpm_range; uint32_t xgmi_width; uint32_t xgmi_bitrate; uint64_t xgmi_read_bandwidth_acc[8]; uint64_t xgmi_write_bandwidth_acc[8]; uint32_t socket_c0_residency; uint32_t socket_gfx_busy; uint32_t dram_bandwidth_utilization; uint64_t socket_c0_residency_acc; uint64_t socket_gfx_busy_acc; uint64_t dram_bandwidth_acc; uint32_t max_dram_bandwidth; uint64_t dram_bandwidth_utilization_acc; uint64_t pcie_bandwidth_acc[4]; uint32_t prochot_residency_acc; uint32_t ppt_residency_acc; uint32_t socket_thm_residency_acc; uint32_t vr_thm_residency_acc; uint32_t hbm_thm_residency_acc; uint32_t spare; uint32_t gfxclk_frequency[8]; };
struct amdsmi_cpu_info_t { char model_name[256]; uint32_t cpu_family_id; uint32_t model_id; uint32_t threads_per_core; uint32_t cores_per_socket; bool frequency_boost; uint32_t vendor_id; char vendor_name[256]; uint32_t subvendor_id; uint64_t device_id; uint32_t rev_id; char asic_serial[256]; uint32_t socket_id; uint32_t core_id; uint32_t num_of_cpu_cores; uint32_t socket_count; uint32_t core_count; uint32_t reserved[17]; };
struct amdsmi_sock_info_t { uint32_t socket_id; uint32_t cores_per_socket; };
struct amdsmi_nic_stat_t { char name[256]; uint64_t value; };
struct amdsmi_nic_asic_info_t { uint16_t vendor_id; uint16_t subvendor_id; uint16_t device_id; uint16_t subsystem_id; uint8_t revision; char permanent_address[256]; char product_name[256]; char part_number[256]; char serial_number[256]; char vendor_name[256]; };
struct amdsmi_nic_bus_info_t { amdsmi_bdf_t bdf; uint8_t max_pcie_width; uint32_t max_pcie_speed; char pcie_interface_version[256]; char slot_type[256]; };
struct amdsmi_nic_numa_info_t { uint8_t node; char affinity[256]; };
struct amdsmi_nic_fw_entry_t { char name[256]; char version[256]; };
struct amdsmi_nic_fw_info_t { uint32_t num_fw; amdsmi_nic_fw_entry_t fw[16]; };
struct amdsmi_nic_port_t { amdsmi_bdf_t bdf; uint32_t port_num; char type[256]; char flavour[256]; char netdev[256]; uint8_t ifindex; char mac_address[256]; uint8_t carrier; uint16_t mtu; char link_state[256]; uint32_t link_speed; uint32_t active_fec; char autoneg[256]; char pause_autoneg[256]; char pause_rx[256]; char pause_tx[256]; };
struct amdsmi_nic_port_info_t { uint32_t num_ports; amdsmi_nic_port_t ports[32]; };
struct amdsmi_nic_driver_info_t { char name[256]; char version[256]; };
struct amdsmi_nic_rdma_port_info_t { char netdev[256]; char state[256]; uint8_t rdma_port; uint16_t max_mtu; uint16_t active_mtu; };
struct amdsmi_nic_rdma_dev_info_t { char rdma_dev[256]; char node_guid[256]; char node_type[256]; char sys_image_guid[256]; char fw_ver[256]; uint8_t num_rdma_ports; amdsmi_nic_rdma_port_info_t rdma_port_info[32]; };
struct amdsmi_nic_rdma_devices_info_t { uint8_t num_rdma_dev; amdsmi_nic_rdma_dev_info_t rdma_dev_info[32]; };
amdsmi_status_t amdsmi_init(uint64_t init_flags);
amdsmi_status_t amdsmi_shut_down();
amdsmi_status_t amdsmi_get_socket_handles(uint32_t *socket_count, void **socket_handles);
amdsmi_status_t amdsmi_get_socket_info(void *socket_handle, size_t len, char *name);
amdsmi_status_t amdsmi_get_processor_handles(void *socket_handle, uint32_t *processor_count, void **processor_handles);
amdsmi_status_t amdsmi_get_node_handle(void *processor_handle, void **node_handle);
amdsmi_status_t amdsmi_get_processor_type(void *processor_handle, amdsmi_processor_type_t *processor_type);
amdsmi_status_t amdsmi_get_processor_info(void *processor_handle, size_t len, char *name);
amdsmi_status_t amdsmi_get_processor_count_from_handles(void **processor_handles, uint32_t *processor_count, uint32_t *nr_cpusockets, uint32_t *nr_cpucores, uint32_t *nr_gpus);
amdsmi_status_t amdsmi_get_processor_handles_by_type(void *socket_handle, amdsmi_processor_type_t processor_type, void **processor_handles, uint32_t *processor_count);
amdsmi_status_t amdsmi_get_processor_handle_from_bdf(amdsmi_bdf_t bdf, void **processor_handle);
amdsmi_status_t amdsmi_get_gpu_device_bdf(void *processor_handle, amdsmi_bdf_t *bdf);
amdsmi_status_t amdsmi_get_gpu_device_uuid(void *processor_handle, unsigned int *uuid_length, char *uuid);
amdsmi_status_t amdsmi_get_gpu_enumeration_info(void *processor_handle, amdsmi_enumeration_info_t *info);
amdsmi_status_t amdsmi_get_cpu_affinity_with_scope(void *processor_handle, uint32_t cpu_set_size, uint64_t *cpu_set, amdsmi_affinity_scope_t scope);
amdsmi_status_t amdsmi_get_gpu_virtualization_mode(void *processor_handle, amdsmi_virtualization_mode_t *mode);
amdsmi_status_t amdsmi_get_nic_processor_handles(void *socket_handle, uint32_t *processor_count, void **processor_handles);
amdsmi_status_t amdsmi_get_nic_device_bdf(void *processor_handle, amdsmi_bdf_t *bdf);
amdsmi_status_t amdsmi_get_gpu_id(void *processor_handle, uint16_t *id);
amdsmi_status_t amdsmi_get_gpu_revision(void *processor_handle, uint16_t *revision);
amdsmi_status_t amdsmi_get_gpu_vendor_name(void *processor_handle, char *name, size_t len);
amdsmi_status_t amdsmi_get_gpu_vram_vendor(void *processor_handle, char *brand, uint32_t len);
amdsmi_status_t amdsmi_get_gpu_subsystem_id(void *processor_handle, uint16_t *id);
amdsmi_status_t amdsmi_get_gpu_subsystem_name(void *processor_handle, char *name, size_t len);
amdsmi_status_t amdsmi_get_gpu_pci_bandwidth(void *processor_handle, amdsmi_pcie_bandwidth_t *bandwidth);
amdsmi_status_t amdsmi_get_gpu_bdf_id(void *processor_handle, uint64_t *bdfid);
amdsmi_status_t amdsmi_get_gpu_topo_numa_affinity(void *processor_handle, int32_t *numa_node);
amdsmi_status_t amdsmi_get_gpu_pci_throughput(void *processor_handle, uint64_t *sent, uint64_t *received, uint64_t *max_pkt_sz);
amdsmi_status_t amdsmi_get_gpu_pci_replay_counter(void *processor_handle, uint64_t *counter);
amdsmi_status_t amdsmi_set_gpu_pci_bandwidth(void *processor_handle, uint64_t bw_bitmask);
amdsmi_status_t amdsmi_get_energy_count(void *processor_handle, uint64_t *energy_accumulator, float *counter_resolution, uint64_t *timestamp);
amdsmi_status_t amdsmi_set_power_cap(void *processor_handle, uint32_t sensor_ind, uint64_t cap);
amdsmi_status_t amdsmi_set_gpu_power_profile(void *processor_handle, uint32_t reserved, amdsmi_power_profile_preset_masks_t profile);
amdsmi_status_t amdsmi_get_supported_power_cap(void *processor_handle, uint32_t *sensor_count, uint32_t *sensor_inds, amdsmi_power_cap_type_t *sensor_types);
amdsmi_status_t amdsmi_get_cpu_socket_power(void *processor_handle, uint32_t *ppower);
amdsmi_status_t amdsmi_get_cpu_socket_power_cap(void *processor_handle, uint32_t *pcap);
amdsmi_status_t amdsmi_get_cpu_socket_power_cap_max(void *processor_handle, uint32_t *pmax);
amdsmi_status_t amdsmi_get_cpu_pwr_svi_telemetry_all_rails(void *processor_handle, uint32_t *power);
amdsmi_status_t amdsmi_set_cpu_socket_power_cap(void *processor_handle, uint32_t pcap);
amdsmi_status_t amdsmi_set_cpu_pwr_efficiency_mode(void *processor_handle, uint8_t power_efficiency_mode, uint32_t *utilization, uint32_t *ppt_limit);
amdsmi_status_t amdsmi_get_cpu_pwr_efficiency_mode(void *processor_handle, uint32_t *power_efficiency_mode, uint32_t *utilization, uint32_t *ppt_limit);
amdsmi_status_t amdsmi_get_cpu_core_ccd_power(void *processor_handle, uint32_t *power);
amdsmi_status_t amdsmi_get_gpu_memory_total(void *processor_handle, amdsmi_memory_type_t mem_type, uint64_t *total);
amdsmi_status_t amdsmi_get_gpu_memory_usage(void *processor_handle, amdsmi_memory_type_t mem_type, uint64_t *used);
amdsmi_status_t amdsmi_get_gpu_bad_page_info(void *processor_handle, uint32_t *num_pages, amdsmi_retired_page_record_t *info);
amdsmi_status_t amdsmi_get_gpu_bad_page_threshold(void *processor_handle, uint32_t *threshold);
amdsmi_status_t amdsmi_gpu_validate_ras_eeprom(void *processor_handle);
amdsmi_status_t amdsmi_get_gpu_ras_block_features_enabled(void *processor_handle, amdsmi_gpu_block_t block, amdsmi_ras_err_state_t *state);
amdsmi_status_t amdsmi_get_gpu_memory_reserved_pages(void *processor_handle, uint32_t *num_pages, amdsmi_retired_page_record_t *records);
amdsmi_status_t amdsmi_get_gpu_fan_rpms(void *processor_handle, uint32_t sensor_ind, int64_t *speed);
amdsmi_status_t amdsmi_get_gpu_fan_speed(void *processor_handle, uint32_t sensor_ind, int64_t *speed);
amdsmi_status_t amdsmi_get_gpu_fan_speed_max(void *processor_handle, uint32_t sensor_ind, uint64_t *max_speed);
amdsmi_status_t amdsmi_get_gpu_cache_info(void *processor_handle, amdsmi_gpu_cache_info_t *info);
amdsmi_status_t amdsmi_get_gpu_volt_metric(void *processor_handle, amdsmi_voltage_type_t sensor_type, amdsmi_voltage_metric_t metric, int64_t *voltage);
amdsmi_status_t amdsmi_reset_gpu_fan(void *processor_handle, uint32_t sensor_ind);
amdsmi_status_t amdsmi_set_gpu_fan_speed(void *processor_handle, uint32_t sensor_ind, uint64_t speed);
amdsmi_status_t amdsmi_get_gpu_busy_percent(void *processor_handle, uint32_t *gpu_busy_percent);
amdsmi_status_t amdsmi_get_vcn_busy_percent(void *processor_handle, uint32_t *vcn_busy_percent);
amdsmi_status_t amdsmi_get_utilization_count(void *processor_handle, amdsmi_utilization_counter_t *utilization_counters, uint32_t count, uint64_t *timestamp);
amdsmi_status_t amdsmi_get_gpu_perf_level(void *processor_handle, amdsmi_dev_perf_level_t *perf);
amdsmi_status_t amdsmi_set_gpu_perf_determinism_mode(void *processor_handle, uint64_t clkvalue);
amdsmi_status_t amdsmi_get_gpu_overdrive_level(void *processor_handle, uint32_t *od);
amdsmi_status_t amdsmi_get_gpu_mem_overdrive_level(void *processor_handle, uint32_t *od);
amdsmi_status_t amdsmi_get_clk_freq(void *processor_handle, amdsmi_clk_type_t clk_type, amdsmi_frequencies_t *f);
amdsmi_status_t amdsmi_reset_gpu(void *processor_handle);
amdsmi_status_t amdsmi_get_gpu_od_volt_info(void *processor_handle, amdsmi_od_volt_freq_data_t *odv);
amdsmi_status_t amdsmi_get_gpu_metrics_header_info(void *processor_handle, amd_metrics_table_header_t *header_value);
amdsmi_status_t amdsmi_get_gpu_metrics_info(void *processor_handle, amdsmi_gpu_metrics_t *pgpu_metrics);
amdsmi_status_t amdsmi_get_gpu_partition_metrics_info(void *processor_handle, amdsmi_gpu_metrics_t *pgpu_metrics);
amdsmi_status_t amdsmi_get_gpu_pm_metrics_info(void *processor_handle, amdsmi_name_value_t **pm_metrics, uint32_t *num_of_metrics);
amdsmi_status_t amdsmi_get_gpu_reg_table_info(void *processor_handle, amdsmi_reg_type_t reg_type, amdsmi_name_value_t **reg_metrics, uint32_t *num_of_metrics);
amdsmi_status_t amdsmi_set_gpu_clk_limit(void *processor_handle, amdsmi_clk_type_t clk_type, amdsmi_clk_limit_type_t limit_type, uint64_t clk_value);
amdsmi_status_t amdsmi_set_gpu_od_clk_info(void *processor_handle, amdsmi_freq_ind_t level, uint64_t clkvalue, amdsmi_clk_type_t clkType);
amdsmi_status_t amdsmi_set_gpu_od_volt_info(void *processor_handle, uint32_t vpoint, uint64_t clkvalue, uint64_t voltvalue);
amdsmi_status_t amdsmi_get_gpu_od_volt_curve_regions(void *processor_handle, uint32_t *num_regions, amdsmi_freq_volt_region_t *buffer);
amdsmi_status_t amdsmi_get_gpu_power_profile_presets(void *processor_handle, uint32_t sensor_ind, amdsmi_power_profile_status_t *status);
amdsmi_status_t amdsmi_set_gpu_perf_level(void *processor_handle, amdsmi_dev_perf_level_t perf_lvl);
amdsmi_status_t amdsmi_set_gpu_overdrive_level(void *processor_handle, uint32_t od);
amdsmi_status_t amdsmi_set_clk_freq(void *processor_handle, amdsmi_clk_type_t clk_type, uint64_t freq_bitmask);
amdsmi_status_t amdsmi_get_soc_pstate(void *processor_handle, amdsmi_dpm_policy_t *policy);
amdsmi_status_t amdsmi_set_soc_pstate(void *processor_handle, uint32_t policy_id);
amdsmi_status_t amdsmi_get_xgmi_plpd(void *processor_handle, amdsmi_dpm_policy_t *xgmi_plpd);
amdsmi_status_t amdsmi_set_xgmi_plpd(void *processor_handle, uint32_t policy_id);
amdsmi_status_t amdsmi_get_gpu_process_isolation(void *processor_handle, uint32_t *pisolate);
amdsmi_status_t amdsmi_set_gpu_process_isolation(void *processor_handle, uint32_t pisolate);
amdsmi_status_t amdsmi_clean_gpu_local_data(void *processor_handle);
enum amdsmi_fabric_telemetry_category_t { AMDSMI_FABRIC_TELEMETRY_CATEGORY_UALOE = 0, AMDSMI_FABRIC_TELEMETRY_CATEGORY_SWITCH = 1, AMDSMI_FABRIC_TELEMETRY_CATEGORY_CRYPTO = 2, AMDSMI_FABRIC_TELEMETRY_CATEGORY_PFC = 3, AMDSMI_FABRIC_TELEMETRY_CATEGORY_NETPORT = 4, AMDSMI_FABRIC_TELEMETRY_CATEGORY_DERIVED_UALOE = 5, AMDSMI_FABRIC_TELEMETRY_CATEGORY_DERIVED_NETPORT = 6, AMDSMI_FABRIC_TELEMETRY_CATEGORY_MAX = 7, AMDSMI_FABRIC_TELEMETRY_CATEGORY_INVALID = 4294967295, AMDSMI_FABRIC_TELEMETRY_CATEGORY_UNKNOWN = 4294967295 };
enum amdsmi_fabric_telemetry_category_mask_t { AMDSMI_FABRIC_TELEMETRY_CATEGORY_MASK_UALOE = 1, AMDSMI_FABRIC_TELEMETRY_CATEGORY_MASK_SWITCH = 2, AMDSMI_FABRIC_TELEMETRY_CATEGORY_MASK_CRYPTO = 4, AMDSMI_FABRIC_TELEMETRY_CATEGORY_MASK_PFC = 8, AMDSMI_FABRIC_TELEMETRY_CATEGORY_MASK_NETPORT = 16, AMDSMI_FABRIC_TELEMETRY_CATEGORY_MASK_DERIVED_UALOE = 32, AMDSMI_FABRIC_TELEMETRY_CATEGORY_MASK_DERIVED_NETPORT = 64, AMDSMI_FABRIC_TELEMETRY_CATEGORY_MASK_ALL_KNOWN = 127 };
struct amdsmi_fabric_telemetry_item_t { uint64_t id; uint64_t value; };
struct amdsmi_fabric_label_t { char text[32]; };
struct amdsmi_fabric_telemetry_instance_t { amdsmi_fabric_label_t name; unsigned int logical_idx; unsigned int item_count; amdsmi_fabric_telemetry_item_t *items; };
struct amdsmi_fabric_telemetry_dataset_t { amdsmi_fabric_telemetry_category_t category; uint64_t generation_count; timespec timestamp; unsigned int instance_count; amdsmi_fabric_telemetry_instance_t *instances; };
struct amdsmi_fabric_telemetry_t { amdsmi_fabric_telemetry_dataset_t *datasets[7]; };
amdsmi_status_t amdsmi_alloc_fabric_telemetry(void *processor_handle, uint32_t category_mask, amdsmi_fabric_telemetry_t **telemetry);
amdsmi_status_t amdsmi_get_fabric_telemetry_data(void *processor_handle, amdsmi_fabric_telemetry_t *telemetry);
amdsmi_status_t amdsmi_fabric_telem_id_to_string(uint64_t telem_id, const char **telem_name);
amdsmi_status_t amdsmi_free_fabric_telemetry(void *processor_handle, amdsmi_fabric_telemetry_t *telemetry);
enum amdsmi_fabric_size_constants_t { AMDSMI_FABRIC_ACTIVE_ACCELERATORS_BITMAP_SIZE = 32, AMDSMI_FABRIC_MAX_LOCAL_GPUS = 16 };
enum amdsmi_fabric_type_t { AMDSMI_FABRIC_TYPE_UALOE = 0, AMDSMI_FABRIC_TYPE_UALINK = 1, AMDSMI_FABRIC_TYPE_UNKNOWN = 2, AMDSMI_FABRIC_TYPE_UALLINK = 1 };
enum amdsmi_fabric_npa_address_mode_t { AMDSMI_FABRIC_NPA_ADDRESS_MODE_SOURCE_ALIASING = 0, AMDSMI_FABRIC_NPA_ADDRESS_MODE_SOURCE_IDENTIFICATION = 1, AMDSMI_FABRIC_NPA_ADDRESS_MODE_UNKNOWN = 2 };
enum amdsmi_fabric_accelerator_vpod_state_t { AMDSMI_FABRIC_ACCELERATOR_VPOD_STATE_UNCONFIGURED = 0, AMDSMI_FABRIC_ACCELERATOR_VPOD_STATE_CONFIGURED = 1, AMDSMI_FABRIC_ACCELERATOR_VPOD_STATE_READY = 2, AMDSMI_FABRIC_ACCELERATOR_VPOD_STATE_ACTIVE = 3, AMDSMI_FABRIC_ACCELERATOR_VPOD_STATE_ERROR = 4, AMDSMI_FABRIC_ACCELERATOR_VPOD_STATE_UNKNOWN = 5 };
struct amdsmi_fabric_info_v1_t { uint32_t accelerator_id; amdsmi_fabric_type_t fabric_type; uint32_t bandwidth; uint32_t latency; uint8_t ppod_id[16]; uint32_t ppod_size; uint32_t vpod_id; uint32_t vpod_size; uint32_t vpod_active_accelerators[32]; uint32_t local_accelerators[16]; amdsmi_fabric_npa_address_mode_t addr_mode; amdsmi_fabric_accelerator_vpod_state_t accel_state; };
union amdsmi_fabric_info_t_fabric_info_ { amdsmi_fabric_info_v1_t v1; };
struct amdsmi_fabric_info_t { amdsmi_bdf_t bdf; uint32_t fabric_version; amdsmi_fabric_info_t_fabric_info_ fabric_info; uint32_t reserved[15]; };
amdsmi_status_t amdsmi_get_gpu_fabric_info(void *processor_handle, amdsmi_fabric_info_t *info);
amdsmi_status_t amdsmi_get_lib_version(amdsmi_version_t *version);
amdsmi_status_t amdsmi_get_gpu_ecc_count(void *processor_handle, amdsmi_gpu_block_t block, amdsmi_error_count_t *ec);
amdsmi_status_t amdsmi_get_gpu_ecc_enabled(void *processor_handle, uint64_t *enabled_blocks);
amdsmi_status_t amdsmi_get_gpu_total_ecc_count(void *processor_handle, amdsmi_error_count_t *ec);
struct amdsmi_cper_guid_t { unsigned char b[16]; };
struct amdsmi_cper_timestamp_t { uint8_t seconds; uint8_t minutes; uint8_t hours; uint8_t flag; uint8_t day; uint8_t month; uint8_t year; uint8_t century; };
struct amdsmi_cper_valid_bits_t_valid_bits_ { uint32_t platform_id; uint32_t timestamp; uint32_t partition_id; uint32_t reserved; };
union amdsmi_cper_valid_bits_t { amdsmi_cper_valid_bits_t_valid_bits_ valid_bits; uint32_t valid_mask; };
struct amdsmi_cper_hdr_t { char signature[4]; uint16_t revision; uint32_t signature_end; uint16_t sec_cnt; amdsmi_cper_sev_t error_severity; amdsmi_cper_valid_bits_t cper_valid_bits; uint32_t record_length; amdsmi_cper_timestamp_t timestamp; char platform_id[16]; amdsmi_cper_guid_t partition_id; char creator_id[16]; amdsmi_cper_guid_t notify_type; char record_id[8]; uint32_t flags; uint64_t persistence_info; uint8_t reserved[12]; };
amdsmi_status_t amdsmi_get_afids_from_cper(char *cper_buffer, uint32_t buf_size, uint64_t *afids, uint32_t *num_afids);
amdsmi_status_t amdsmi_get_gpu_ras_feature_info(void *processor_handle, amdsmi_ras_feature_t *ras_feature);
amdsmi_status_t amdsmi_get_gpu_cper_entries(void *processor_handle, uint32_t severity_mask, char *cper_data, uint64_t *buf_size, amdsmi_cper_hdr_t **cper_hdrs, uint64_t *entry_count, uint64_t *cursor);
amdsmi_status_t amdsmi_get_gpu_ecc_status(void *processor_handle, amdsmi_gpu_block_t block, amdsmi_ras_err_state_t *state);
amdsmi_status_t amdsmi_status_code_to_string(amdsmi_status_t status, const char **status_string);
amdsmi_status_t amdsmi_gpu_counter_group_supported(void *processor_handle, amdsmi_event_group_t group);
amdsmi_status_t amdsmi_gpu_create_counter(void *processor_handle, amdsmi_event_type_t type, uintptr_t *evnt_handle);
amdsmi_status_t amdsmi_gpu_destroy_counter(uintptr_t evnt_handle);
amdsmi_status_t amdsmi_gpu_control_counter(uintptr_t evt_handle, amdsmi_counter_command_t cmd, void *cmd_args);
amdsmi_status_t amdsmi_gpu_read_counter(uintptr_t evt_handle, amdsmi_counter_value_t *value);
amdsmi_status_t amdsmi_get_gpu_available_counters(void *processor_handle, amdsmi_event_group_t grp, uint32_t *available);
amdsmi_status_t amdsmi_get_gpu_compute_process_info(amdsmi_process_info_t *procs, uint32_t *num_items);
amdsmi_status_t amdsmi_get_gpu_compute_process_info_by_pid(uint32_t pid, amdsmi_process_info_t *proc);
amdsmi_status_t amdsmi_get_gpu_compute_process_gpus(uint32_t pid, uint32_t *dv_indices, uint32_t *num_devices);
amdsmi_status_t amdsmi_gpu_xgmi_error_status(void *processor_handle, amdsmi_xgmi_status_t *status);
amdsmi_status_t amdsmi_reset_gpu_xgmi_error(void *processor_handle);
amdsmi_status_t amdsmi_get_xgmi_info(void *processor_handle, amdsmi_xgmi_info_t *info);
amdsmi_status_t amdsmi_get_gpu_xgmi_link_status(void *processor_handle, amdsmi_xgmi_link_status_t *link_status);
amdsmi_status_t amdsmi_get_link_metrics(void *processor_handle, amdsmi_link_metrics_t *link_metrics);
amdsmi_status_t amdsmi_topo_get_numa_node_number(void *processor_handle, uint32_t *numa_node);
amdsmi_status_t amdsmi_topo_get_link_weight(void *processor_handle_src, void *processor_handle_dst, uint64_t *weight);
amdsmi_status_t amdsmi_get_minmax_bandwidth_between_processors(void *processor_handle_src, void *processor_handle_dst, uint64_t *min_bandwidth, uint64_t *max_bandwidth);
amdsmi_status_t amdsmi_topo_get_link_type(void *processor_handle_src, void *processor_handle_dst, uint64_t *hops, amdsmi_link_type_t *type);
amdsmi_status_t amdsmi_get_link_topology_nearest(void *processor_handle, amdsmi_link_type_t link_type, amdsmi_topology_nearest_t *topology_nearest_info);
amdsmi_status_t amdsmi_is_P2P_accessible(void *processor_handle_src, void *processor_handle_dst, bool *accessible);
amdsmi_status_t amdsmi_topo_get_p2p_status(void *processor_handle_src, void *processor_handle_dst, amdsmi_link_type_t *type, amdsmi_p2p_capability_t *cap);
amdsmi_status_t amdsmi_get_gpu_compute_partition(void *processor_handle, char *compute_partition, uint32_t len);
amdsmi_status_t amdsmi_set_gpu_compute_partition(void *processor_handle, amdsmi_compute_partition_type_t compute_partition);
amdsmi_status_t amdsmi_get_gpu_compute_partition_mem_alloc_mode(void *processor_handle, amdsmi_compute_partition_mem_alloc_mode_t *mode);
amdsmi_status_t amdsmi_get_gpu_accelerator_partition_mem_alloc_mode(void *processor_handle, amdsmi_accelerator_partition_mem_alloc_mode_t *mode);
amdsmi_status_t amdsmi_set_gpu_compute_partition_mem_alloc_mode(void *processor_handle, amdsmi_compute_partition_mem_alloc_mode_t mode);
amdsmi_status_t amdsmi_set_gpu_accelerator_partition_mem_alloc_mode(void *processor_handle, amdsmi_accelerator_partition_mem_alloc_mode_t mode);
amdsmi_status_t amdsmi_get_gpu_memory_partition(void *processor_handle, char *memory_partition, uint32_t len);
amdsmi_status_t amdsmi_set_gpu_memory_partition(void *processor_handle, amdsmi_memory_partition_type_t memory_partition);
amdsmi_status_t amdsmi_get_gpu_memory_partition_config(void *processor_handle, amdsmi_memory_partition_config_t *config);
amdsmi_status_t amdsmi_set_gpu_memory_partition_mode(void *processor_handle, amdsmi_memory_partition_type_t mode);
amdsmi_status_t amdsmi_get_gpu_accelerator_partition_profile_config(void *processor_handle, amdsmi_accelerator_partition_profile_config_t *profile_config);
amdsmi_status_t amdsmi_get_gpu_accelerator_partition_profile(void *processor_handle, amdsmi_accelerator_partition_profile_t *profile, uint32_t *partition_id);
amdsmi_status_t amdsmi_set_gpu_accelerator_partition_profile(void *processor_handle, uint32_t profile_index);
amdsmi_status_t amdsmi_init_gpu_event_notification(void *processor_handle);
amdsmi_status_t amdsmi_set_gpu_event_notification_mask(void *processor_handle, uint64_t mask);
amdsmi_status_t amdsmi_get_gpu_event_notification(int timeout_ms, uint32_t *num_elem, amdsmi_evt_notification_data_t *data);
amdsmi_status_t amdsmi_stop_gpu_event_notification(void *processor_handle);
amdsmi_status_t amdsmi_get_gpu_driver_info(void *processor_handle, amdsmi_driver_info_t *info);
amdsmi_status_t amdsmi_get_gpu_asic_info(void *processor_handle, amdsmi_asic_info_t *info);
amdsmi_status_t amdsmi_get_gpu_kfd_info(void *processor_handle, amdsmi_kfd_info_t *info);
amdsmi_status_t amdsmi_get_gpu_vram_info(void *processor_handle, amdsmi_vram_info_t *info);
amdsmi_status_t amdsmi_get_gpu_board_info(void *processor_handle, amdsmi_board_info_t *info);
amdsmi_status_t amdsmi_get_power_cap_info(void *processor_handle, uint32_t sensor_ind, amdsmi_power_cap_info_t *info);
amdsmi_status_t amdsmi_get_pcie_info(void *processor_handle, amdsmi_pcie_info_t *info);
amdsmi_status_t amdsmi_get_gpu_xcd_counter(void *processor_handle, uint16_t *xcd_count);
amdsmi_status_t amdsmi_get_npm_info(void *node_handle, amdsmi_npm_info_t *info);
amdsmi_status_t amdsmi_get_fw_info(void *processor_handle, amdsmi_fw_info_t *info);
amdsmi_status_t amdsmi_get_gpu_vbios_info(void *processor_handle, amdsmi_vbios_info_t *info);
amdsmi_status_t amdsmi_get_temp_metric(void *processor_handle, amdsmi_temperature_type_t sensor_type, amdsmi_temperature_metric_t metric, int64_t *temperature);
amdsmi_status_t amdsmi_get_gpu_activity(void *processor_handle, amdsmi_engine_usage_t *info);
amdsmi_status_t amdsmi_get_power_info(void *processor_handle, amdsmi_power_info_t *info);
amdsmi_status_t amdsmi_is_gpu_power_management_enabled(void *processor_handle, bool *enabled);
amdsmi_status_t amdsmi_get_clock_info(void *processor_handle, amdsmi_clk_type_t clk_type, amdsmi_clk_info_t *info);
amdsmi_status_t amdsmi_get_gpu_vram_usage(void *processor_handle, amdsmi_vram_usage_t *info);
amdsmi_status_t amdsmi_get_violation_status(void *processor_handle, amdsmi_violation_status_t *info);
amdsmi_status_t amdsmi_get_gpu_process_list(void *processor_handle, uint32_t *max_processes, amdsmi_proc_info_t *list);
amdsmi_status_t amdsmi_get_gpu_process_list_by_pid(void **processor_handles, uint32_t num_processors, amdsmi_proc_info_by_pid_t *procs, uint32_t *max_processes);
amdsmi_status_t amdsmi_get_gpu_ptl_state(void *processor_handle, bool *enabled);
amdsmi_status_t amdsmi_set_gpu_ptl_state(void *processor_handle, bool enable);
amdsmi_status_t amdsmi_get_gpu_ptl_formats(void *processor_handle, amdsmi_ptl_data_format_t *data_format1, amdsmi_ptl_data_format_t *data_format2);
amdsmi_status_t amdsmi_set_gpu_ptl_formats(void *processor_handle, amdsmi_ptl_data_format_t data_format1, amdsmi_ptl_data_format_t data_format2);
amdsmi_status_t amdsmi_get_cpu_handles(uint32_t *cpu_count, void **processor_handles);
amdsmi_status_t amdsmi_get_cpucore_handles(uint32_t *cores_count, void **processor_handles);
amdsmi_status_t amdsmi_get_cpu_core_energy(void *processor_handle, uint64_t *penergy);
amdsmi_status_t amdsmi_get_cpu_socket_energy(void *processor_handle, uint64_t *penergy);
amdsmi_status_t amdsmi_get_threads_per_core(uint32_t *threads_per_core);
amdsmi_status_t amdsmi_get_cpu_hsmp_driver_version(void *processor_handle, amdsmi_hsmp_driver_version_t *amdsmi_hsmp_driver_ver);
amdsmi_status_t amdsmi_get_cpu_smu_fw_version(void *processor_handle, amdsmi_smu_fw_version_t *amdsmi_smu_fw);
amdsmi_status_t amdsmi_get_cpu_hsmp_proto_ver(void *processor_handle, uint32_t *proto_ver);
amdsmi_status_t amdsmi_get_cpu_prochot_status(void *processor_handle, uint32_t *prochot);
amdsmi_status_t amdsmi_get_cpu_fclk_mclk(void *processor_handle, uint32_t *fclk, uint32_t *mclk);
amdsmi_status_t amdsmi_get_cpu_cclk_limit(void *processor_handle, uint32_t *cclk);
amdsmi_status_t amdsmi_get_cpu_socket_current_active_freq_limit(void *processor_handle, uint16_t *freq, char **src_type);
amdsmi_status_t amdsmi_get_cpu_socket_freq_range(void *processor_handle, uint16_t *fmax, uint16_t *fmin);
amdsmi_status_t amdsmi_get_cpu_core_current_freq_limit(void *processor_handle, uint32_t *freq);
amdsmi_status_t amdsmi_set_cpu_rail_isofreq_policy(void *processor_handle, bool *rail_isofreq_policy);
amdsmi_status_t amdsmi_get_cpu_rail_isofreq_policy(void *processor_handle, uint8_t *rail_isofreq_policy);
amdsmi_status_t amdsmi_set_cpu_dfc_ctrl(void *processor_handle, uint8_t *dfc_ctrl);
amdsmi_status_t amdsmi_get_cpu_dfc_ctrl(void *processor_handle, uint8_t *dfc_ctrl);
amdsmi_status_t amdsmi_get_cpu_core_boostlimit(void *processor_handle, uint32_t *pboostlimit);
amdsmi_status_t amdsmi_get_cpu_socket_c0_residency(void *processor_handle, uint32_t *pc0_residency);
amdsmi_status_t amdsmi_set_cpu_core_boostlimit(void *processor_handle, uint32_t boostlimit);
amdsmi_status_t amdsmi_set_cpu_socket_boostlimit(void *processor_handle, uint32_t boostlimit);
amdsmi_status_t amdsmi_get_cpu_core_floor_freq_limit(void *processor_handle, uint32_t *floor_freq);
amdsmi_status_t amdsmi_get_cpu_floor_freq_limit(void *processor_handle, uint32_t *floor_freq);
amdsmi_status_t amdsmi_get_cpu_core_eff_floor_freq_limit(void *processor_handle, uint32_t *eff_floor_freq);
amdsmi_status_t amdsmi_get_cpu_eff_floor_freq_limit(void *processor_handle, uint32_t *eff_floor_freq);
amdsmi_status_t amdsmi_set_cpu_core_floor_freq_limit(void *processor_handle, uint32_t floor_freq);
amdsmi_status_t amdsmi_set_cpu_floor_freq_limit(void *processor_handle, uint32_t floor_freq);
amdsmi_status_t amdsmi_set_cpu_msr_floor_freq_limit(void *processor_handle, uint32_t msr_floor_freq);
amdsmi_status_t amdsmi_set_cpu_core_msr_floor_freq_limit(void *processor_handle, uint32_t msr_floor_freq);
amdsmi_status_t amdsmi_get_cpu_freq_range(uint32_t *fmax, uint32_t *fmin);
amdsmi_status_t amdsmi_set_cpu_sdps_limit(void *processor_handle, uint32_t sdps_limit);
amdsmi_status_t amdsmi_get_cpu_sdps_limit(void *processor_handle, uint32_t *sdps_limit);
amdsmi_status_t amdsmi_get_cpu_ddr_bw(void *processor_handle, amdsmi_ddr_bw_metrics_t *ddr_bw);
amdsmi_status_t amdsmi_get_cpu_socket_temperature(void *processor_handle, uint32_t *ptmon);
amdsmi_status_t amdsmi_get_cpu_tdelta(void *processor_handle, uint8_t *tdelta);
amdsmi_status_t amdsmi_get_cpu_svi3_vr_controller_temp(void *processor_handle, uint32_t *rail_selection, uint32_t *rail_index, uint32_t *temp);
amdsmi_status_t amdsmi_get_cpu_dimm_temp_range_and_refresh_rate(void *processor_handle, uint8_t dimm_addr, amdsmi_temp_range_refresh_rate_t *rate);
amdsmi_status_t amdsmi_get_cpu_dimm_power_consumption(void *processor_handle, uint8_t dimm_addr, amdsmi_dimm_power_t *dimm_pow);
amdsmi_status_t amdsmi_get_cpu_dimm_thermal_sensor(void *processor_handle, uint8_t dimm_addr, amdsmi_dimm_thermal_t *dimm_temp);
amdsmi_status_t amdsmi_get_cpu_dimm_sb_reg(void *processor_handle, uint32_t dimm_addr, uint32_t lid, uint32_t reg_offset, uint32_t reg_space, uint32_t *data);
amdsmi_status_t amdsmi_set_cpu_dimm_sb_reg(void *processor_handle, uint32_t dimm_addr, uint32_t lid, uint32_t reg_offset, uint32_t reg_space, uint32_t write_data);
amdsmi_status_t amdsmi_set_cpu_xgmi_width(void *processor_handle, uint8_t min, uint8_t max);
amdsmi_status_t amdsmi_set_cpu_gmi3_link_width_range(void *processor_handle, uint8_t min_link_width, uint8_t max_link_width);
amdsmi_status_t amdsmi_cpu_apb_enable(void *processor_handle);
amdsmi_status_t amdsmi_cpu_apb_disable(void *processor_handle, uint8_t pstate);
amdsmi_status_t amdsmi_set_cpu_socket_lclk_dpm_level(void *processor_handle, uint8_t nbio_id, uint8_t min, uint8_t max);
amdsmi_status_t amdsmi_get_cpu_socket_lclk_dpm_level(void *processor_handle, uint8_t nbio_id, amdsmi_dpm_level_t *nbio);
amdsmi_status_t amdsmi_set_cpu_pcie_link_rate(void *processor_handle, uint8_t rate_ctrl, uint8_t *prev_mode);
amdsmi_status_t amdsmi_set_cpu_df_pstate_range(void *processor_handle, uint8_t min_pstate, uint8_t max_pstate);
amdsmi_status_t amdsmi_set_cpu_xgmi_pstate_range(void *processor_handle, uint8_t min_pstate, uint8_t max_pstate);
amdsmi_status_t amdsmi_get_cpu_xgmi_pstate_range(void *processor_handle, uint8_t *min_pstate, uint8_t *max_pstate);
amdsmi_status_t amdsmi_get_cpu_pc6_enable(void *processor_handle, uint8_t *enabled);
amdsmi_status_t amdsmi_set_cpu_pc6_enable(void *processor_handle, uint8_t enable);
amdsmi_status_t amdsmi_get_cpu_cc6_enable(void *processor_handle, uint8_t *enabled);
amdsmi_status_t amdsmi_set_cpu_cc6_enable(void *processor_handle, uint8_t enable);
amdsmi_status_t amdsmi_get_cpu_current_io_bandwidth(void *processor_handle, amdsmi_link_id_bw_type_t link, uint32_t *io_bw);
amdsmi_status_t amdsmi_get_cpu_current_xgmi_bw(void *processor_handle, amdsmi_link_id_bw_type_t link, uint32_t *xgmi_bw);
amdsmi_status_t amdsmi_get_hsmp_metrics_table_version(void *processor_handle, uint32_t *metrics_version);
amdsmi_status_t amdsmi_get_hsmp_metrics_table(void *processor_handle, amdsmi_hsmp_metrics_table_t *metrics_table);
amdsmi_status_t amdsmi_first_online_core_on_cpu_socket(void *processor_handle, uint32_t *pcore_ind);
amdsmi_status_t amdsmi_get_cpu_family(uint32_t *cpu_family);
amdsmi_status_t amdsmi_get_cpu_model(uint32_t *cpu_model);
amdsmi_status_t amdsmi_get_cpu_model_name(void *processor_handle, amdsmi_cpu_info_t *cpu_info);
amdsmi_status_t amdsmi_get_esmi_err_msg(amdsmi_status_t status, const char **status_string);
amdsmi_status_t amdsmi_get_cpu_cores_per_socket(uint32_t sock_count, amdsmi_sock_info_t *soc_info);
amdsmi_status_t amdsmi_get_cpu_socket_count(uint32_t *sock_count);
amdsmi_status_t amdsmi_get_cpu_enabled_commands(void *processor_handle, bool *r_mask, uint32_t *mask0, uint32_t *mask1, uint32_t *mask2);
amdsmi_status_t amdsmi_get_nic_driver_info(void *processor_handle, amdsmi_nic_driver_info_t *info);
amdsmi_status_t amdsmi_get_nic_asic_info(void *processor_handle, amdsmi_nic_asic_info_t *info);
amdsmi_status_t amdsmi_get_nic_bus_info(void *processor_handle, amdsmi_nic_bus_info_t *info);
amdsmi_status_t amdsmi_get_nic_numa_info(void *processor_handle, amdsmi_nic_numa_info_t *info);
amdsmi_status_t amdsmi_get_nic_port_info(void *processor_handle, amdsmi_nic_port_info_t *info);
amdsmi_status_t amdsmi_get_nic_rdma_dev_info(void *processor_handle, amdsmi_nic_rdma_devices_info_t *info);
amdsmi_status_t amdsmi_get_nic_rdma_port_statistics(void *processor_handle, uint32_t rdma_port_index, uint32_t *num_stats, amdsmi_nic_stat_t *stats);
amdsmi_status_t amdsmi_get_nic_fw_info(void *processor_handle, amdsmi_nic_fw_info_t *info);
amdsmi_status_t amdsmi_get_nic_port_statistics(void *processor_handle, uint32_t port_index, uint32_t *num_stats, amdsmi_nic_stat_t *stats);
amdsmi_status_t amdsmi_get_nic_vendor_statistics(void *processor_handle, uint32_t port_index, uint32_t *num_stats, amdsmi_nic_stat_t *stats);
struct amdsmi_uma_carveout_option_t { uint32_t index; char description[256]; };
struct amdsmi_uma_carveout_info_t { uint32_t current_index; uint32_t num_options; amdsmi_uma_carveout_option_t options[16]; };
struct amdsmi_ttm_info_t { uint64_t current_pages; };
amdsmi_status_t amdsmi_get_gpu_uma_carveout_info(void *processor_handle, amdsmi_uma_carveout_info_t *info);
amdsmi_status_t amdsmi_set_gpu_uma_carveout(void *processor_handle, uint32_t option_index);
amdsmi_status_t amdsmi_get_ttm_info(amdsmi_ttm_info_t *info);
amdsmi_status_t amdsmi_set_ttm_pages_limit(uint64_t pages);
amdsmi_status_t amdsmi_reset_ttm_pages_limit();
}
#endif

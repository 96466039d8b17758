"""Words of everyday databases that mean the same, in English and Chinese, as plain data.

A question may say 客户 or "clients" where the table is called ``customers``. Static vectors do
not bridge two languages, and only sometimes two words of one, so the common ones stand here.
Each group is separated by ``;`` and starts with its name, which also stands for its other words.
Only words that nearly always mean the same are together: what is merely related is not.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

_GROUPS = """
customer client buyer shopper consumer purchaser 客户 顾客 买家 买方 客人 消费者 主顾;
user 用户 使用者; member membership 会员 成员; visitor 访客 游客 来访者; guest 住客 宾客 客人;
person people individual human 人 人员 个人 人物; name 名字 名称 姓名 名 叫什么;
employee staff worker personnel work 员工 雇员 职员 职工 工作人员;
manager supervisor boss supervise 经理 主管 上级; employer 雇主;
hire hiring recruit employ employment 雇佣 聘用 招聘 录用 雇用 入职;
resign leaver attrition quit left 离职 辞职;
salary wage pay payroll earn 工资 薪水 薪资 薪酬 月薪; bonus 奖金 花红;
department dept division 部门 科室; team 团队 队伍 球队 小组;
position job role title occupation profession 职位 岗位 职务 职业; role 角色;
attendance 出勤 考勤 出席率 入座率 上座率; absence 缺勤 缺席;
leave holiday vacation 休假 假期 请假; supplier vendor provider 供应商 供货商 供应方 厂商;
manufacturer maker producer 制造商 生产商 厂家 制造;
company firm corporation enterprise organization organisation 公司 企业 机构 组织;
merchant seller retailer trader 商户 商家 卖家 卖方; partner 合作伙伴 伙伴;
agent 代理 代理商 经办人; product item goods merchandise article sku 产品 商品 货物 货品 物品;
order purchase buy bought 订单 下单 订购 购买 采购 定单 买 买过 购入 订货; purchase 采购 进货;
line detail item 明细 行项目 详情 细节; cart basket 购物车;
category type kind class 类别 分类 种类 类型 品类; brand make 品牌 牌子; model 型号 车型 模型;
price cost expensive costly cheap 价格 单价 售价 出售价格 贵 便宜 多少钱 价钱;
cost expense 成本 费用 开销 花费 花销 支出;
sale sell sold selling 销售 售出 卖出 出售 卖 销量 销售量;
revenue turnover sale income earn 销售额 营业额 收入 营收;
profit margin earnings 利润 毛利 毛利润 盈利; amount sum value 金额 数额 总额;
total 总计 合计 总共 总数 总花费; discount rebate 折扣 打折 优惠; coupon voucher 优惠券 代金券 券;
promotion campaign 促销 活动 营销活动; refund return sent 退款 退货 退还 退回; return 归还;
exchange 换货 交换; gift 礼品 礼物 礼; payment pay paid 付款 支付 缴费 付钱;
unpaid outstanding overdue open 未付款 未支付 欠款 逾期 没有支付 还没付;
invoice bill 发票 账单 票据; receipt 收据 小票; transaction 交易 流水; transfer 转账 转移 转让;
deposit 存款 押金 定金; withdrawal withdraw 取款 提现; balance 余额 结余;
account 账户 账号 帐户 帐号; bank 银行; card 卡 卡片; credit 信用 信贷;
loan lending borrow 贷款 借款; debt liability 债务 负债; interest 利息; rate ratio 率 比率 比例;
percentage percent share proportion 百分比 占比 百分之 份额; currency 货币 币种; budget 预算;
asset 资产; tax vat 税 税费 税额; fee charge 手续费 收费 服务费; wallet 钱包; fund 基金 资金;
stock share equity inventory 股票 股份 库存 存货; ticker symbol 股票代码 代码; dividend 股息 分红;
portfolio 投资组合; investment invest 投资; investor 投资者 投资人; trade 买卖 贸易;
broker 经纪人 券商; insurance insurer 保险; policy 保单 政策; claim 索赔 理赔 赔付; premium 保费;
contract agreement 合同 合约 协议; lease 租约; expire expiry expiration 到期 过期 失效;
shortage low out left 不足 短缺 缺货 售罄 卖完 缺 快要; warehouse depot storehouse 仓库 库房;
shipment shipping ship dispatch consignment 发货 运输 货运 出货;
delivery deliver delivered 交货 送货 配送 交付 送到 送达; parcel package packet 包裹 快递;
carrier courier 承运商 物流公司 快递公司 承运; logistics 物流;
late delayed delay overdue behind lateness 延误 迟到 晚点 延迟 晚 逾期 超期;
port harbour harbor 港口; customs 海关; factory plant 工厂;
machine equipment device 机器 设备 机械 装置; part component 零件 部件 组件;
production produce manufacture 生产 产出 产量; batch lot 批次; quality 质量 品质;
defect fault 缺陷 次品 不良; repair maintenance service maintain 维修 保养 维护;
inspection inspect 检查 检验 巡检; safety 安全; store shop outlet 商店 门店 店铺 店;
branch 分店 分行 分支 分公司; mall 商场; market 市场; restaurant diner eat 餐厅 餐馆 饭店 饭馆;
dish meal food 菜 菜品 菜肴 食物 餐; menu 菜单; recipe 食谱 配方; ingredient 原料 食材 配料;
chef cook 厨师; drink beverage 饮料; cuisine 菜系; reservation booking book 预订 预约 订座;
table 桌子 餐桌; hotel inn 酒店 旅馆 宾馆; room 房间 客房 房; bed 床 床位; stay 住宿 入住;
occupancy 入住率 占用率; house home property estate 房屋 房子 房产 住宅; apartment flat 公寓;
rent rental hire 租 租金 出租 租赁; tenant 租户 租客;
owner proprietor 业主 所有者 主人 拥有者 车主; building 建筑 建筑物 楼 大楼; floor storey 楼层;
elevator lift 电梯; office 办公室; country nation 国家 国; city town 城市 市 市区;
province state 省 省份 州; county district 县 区县; region area zone territory 地区 区域 大区;
continent 大洲 洲; village 村 村庄; street road 街道 街 路 马路; address 地址 住址;
zip postal postcode zipcode 邮编 邮政编码; place location site 地点 地方 位置 场所; map 地图;
latitude lat 纬度; longitude long lng lon 经度; river 河 河流; lake 湖 湖泊;
mountain peak 山 山峰 山脉; sea ocean 海 海洋; island 岛 岛屿; border 边界 边境;
capital 首都 省会; population inhabitants 人口; language 语言; nationality citizenship 国籍;
airport 机场; flight 航班 飞行; airline 航空公司; aircraft airplane plane 飞机; pilot 飞行员 机长;
passenger 乘客 旅客; ticket request 票 车票 门票 机票 工单 请求; seat 座位 席位;
route line 路线 线路 航线; trip journey ride travel 行程 旅程 出行 旅行;
station stop 车站 站点 站 停靠站; train 火车 列车; railway rail 铁路; bus coach 公交 公交车 巴士;
metro subway 地铁; taxi cab 出租车; car automobile auto 汽车 车 轿车 小汽车; vehicle 车辆;
truck lorry 卡车 货车; bike bicycle cycle 自行车 单车; dock 停靠点 停车桩 停靠;
driver 司机 驾驶员; license licence 执照 牌照 许可证 驾照; accident crash 事故;
speed velocity 速度 车速 风速; distance mileage 距离 里程; fuel gas petrol 燃料 燃油 汽油 油;
engine 发动机 引擎; horsepower 马力; cylinder 气缸 汽缸 缸; accelerate acceleration 加速度 加速;
weight 重量 体重; height tall 高度 身高; parking park 停车 停车场; park 公园; garden 花园;
bridge 桥 桥梁; traffic 交通 流量; weather climate 天气 气候 气象;
temperature hot cold warm 温度 气温 热 冷; humidity 湿度;
rain rainfall precipitation 降水 降雨 雨 降水量; snow 雪 降雪; wind gust 风 风力 阵风;
cloud 云 云量; pressure 气压 压力; visibility 能见度; sun sunshine 日照 阳光; storm 风暴 暴风雨;
pollution 污染; air 空气; water 水; energy power electricity 能源 电力 电 能耗 用电;
emission 排放; waste garbage 垃圾 废物; school 学校 中学 小学; university college 大学 高校 学院;
student pupil 学生 学员; highschooler 高中生 高中 学生;
teacher instructor tutor lecturer teach taught 教师 老师 讲师 教员 教 讲授 授课; professor 教授;
course class subject teach 课程 课 科目 学科 教; classroom 教室; class 班级 班;
grade score mark 年级 成绩 分数 得分; score point 评分 分值 积分;
exam examination test 考试 测验 测试; fail failed failing flunk 不及格 失败 未通过;
pass passed 及格 通过; enrolment enrollment enroll registration 选课 注册 报名 入学;
register registration signup join sign 注册 登记 加入; semester term 学期;
degree diploma 学位 文凭; major 专业; dormitory dorm 宿舍; library 图书馆; book 书 图书 书籍;
author writer 作者 作家; write written 写 撰写 编写; publisher 出版社 出版商;
publication publish paper 出版物 论文 发表 出版; journal magazine periodical 期刊 杂志;
article 文章; conference 会议 大会; keyword 关键词 关键字;
citation cite cited reference 引用 引文 参考文献; domain field 领域; research study 研究;
abstract 摘要; title 标题 题目; topic theme subject 主题 话题; chapter 章节 章;
hospital clinic 医院 诊所; doctor physician 医生 大夫 医师; nurse 护士; patient 病人 患者;
disease illness condition 疾病 病 病症; diagnosis diagnose 诊断;
treatment therapy treat 治疗 疗法; medicine medication drug 药 药品 药物; prescription 处方;
surgery operation procedure 手术; symptom 症状; ward 病房; admission admit 住院 入院;
discharge 出院; appointment 预约 就诊; vaccine vaccination 疫苗 接种; allergy 过敏;
laboratory lab 实验室 化验; blood 血 血液; health 健康; singer vocalist 歌手 歌星 演唱者 歌唱家;
artist 艺术家 艺人; musician 音乐家 乐手; band group 乐队; orchestra 管弦乐队 交响乐团 乐团;
conductor 指挥 指挥家; song track 歌曲 歌 曲目; album 专辑; music 音乐; concert gig 音乐会 演唱会;
performance perform show 演出 表演 演唱; instrument 乐器; record 唱片;
stadium venue arena 体育场 场馆 体育馆 场地 球场; theater theatre 剧院 剧场; cinema 电影院 影院;
capacity 容量 容纳; audience spectator 观众; hall 大厅; movie film 电影 影片;
actor actress cast 演员; director 导演 董事; series 系列 剧集 电视剧; episode 集 剧集;
season 季 赛季; channel 频道 渠道; tv television 电视 电视台; cartoon animation 动画 卡通 动画片;
genre 流派 体裁 类型; broadcast air 播出 播放; news story 新闻 报道;
photo picture image 照片 图片; video 视频; game 游戏 比赛; post 帖子 文章 发布;
player athlete 球员 选手 运动员 玩家; coach trainer 教练; match game 比赛 赛事; league 联赛;
championship tournament cup 锦标赛 冠军赛 杯赛; goal 进球 目标;
win won winner victory 胜 获胜 赢 胜利; lose lost loss 输 失利 亏损 损失; medal 奖牌;
award prize 奖项 奖 获奖; club 俱乐部; poker 扑克; sport 运动 体育;
race ethnicity 赛跑 竞赛 种族 民族; rank ranking 排名 名次; pet 宠物; dog 狗 犬; cat 猫;
animal 动物; bird 鸟; fish 鱼; plant 植物; tree 树 树木; farm 农场; crop 作物 庄稼; breed 品种;
friend 朋友 好友; like 喜欢 点赞; follow follower 关注 粉丝; message 消息 短信 留言;
comment 评论 留言; review evaluation 评价 评审 评论 点评;
evaluation evaluate appraisal assessment 评审 评估 考核; rating 评级 评分 星级; star 星 星级;
tip 小费 提示; complaint complain 投诉 抱怨; feedback 反馈; survey questionnaire 调查 问卷;
answer reply response respond 回答 回复 答复 响应; question 问题 提问; forum 论坛;
contact 联系 联系人 联系方式; phone telephone mobile 电话 手机 电话号码;
email mail 邮箱 电子邮件 邮件; fax 传真; url link website site 网址 链接 网站; homepage 主页;
page 页面 网页; session 会话; visit view come came 访问 浏览; click 点击;
login logon signin 登录 登陆; password 密码; permission access 权限; event 事件; log 日志;
error failure 错误 故障; alert alarm 警报 告警; notification notify 通知;
setting preference configuration 设置 配置; snapshot 快照; version release 版本;
file document 文件 文档; download 下载; upload 上传; server 服务器; network 网络; software 软件;
app application 应用 应用程序; application apply 申请; approval approve 审批 批准; task 任务;
project 项目 工程; bug issue 缺陷 问题; support help 支持 帮助; priority 优先级;
assign assignment 分配 指派 安排; arrange arrangement schedule 安排 排班 排课;
schedule timetable plan 日程 计划 时间表; meeting 会议; device 装置 终端; sensor 传感器;
reading measurement 读数 测量 测量值; signal 信号; advertisement advertising ad 广告;
subscription subscribe subscriber 订阅 订购; plan 套餐 方案;
churn cancel cancelled cancellation 取消 流失; conversion convert 转化; lead prospect 线索;
status state 状态; without no none never not lacking 没有 从未 从来没有 从没 未 没 无;
each every per by 各 每 每个 每种 每位 每家 每笔 各个 按;
pending waiting unresolved open 未解决 未处理 待处理 待 等待; wait 等候; many 多;
more over above exceed 超过 以上 大于 多于; less below under fewer 低于 以下 小于 少于;
current this 本 当前 这个 当; previous last past 上 上个 上一 过去 前; arrive arrival 到达 抵达;
depart departure leave 出发 离开; active 活跃 有效 在用; inactive 不活跃 停用;
available availability 可用 可用的 有货;
closed close resolve solve settle 关闭 打烊 解决 处理 处理完 完成; open 开放 营业;
new 新 新增 新的; old older oldest 旧 老 最老; young youngest 年轻 最年轻; gender sex 性别;
male man 男 男性 男士; female woman 女 女性 女士; age 年龄 岁 岁数; birthday birth born 生日 出生;
marriage married marital 婚姻 已婚; family 家庭 家人; child children kid 孩子 儿童 子女;
parent 父母 家长; education 教育 学历; religion 宗教; date 日期; day daily 天 每天 每日 日;
week weekly 周 每周 星期; month monthly 月 每月 月份; quarter quarterly 季度 每季度;
year yearly annual 年 每年 年份 年度; hour 小时; minute 分钟; second 秒; time 时间 时刻 时候;
duration 时长 持续时间; start begin 开始 起始; end finish 结束 终止; create created 创建 新建;
update updated 更新; change 变化 变更 改变; history 历史; today 今天; deadline due 截止 到期;
first earliest 最早 第一; last latest recent 最近 最新 最后;
count number 数量 个数 多少 人数 件数 次数; average mean avg 平均 平均值 均值;
maximum max highest most top best biggest largest greatest longest expensive peak 最大 最高 最多
  贵 最大值 最好 最长 最久;
minimum min lowest least smallest shortest fewest worst cheap 最小 最低 最少 便宜 最小值 最差
最短; quantity qty 数量; size 尺寸 大小; length 长度; width 宽度; volume 体积 容积;
color colour 颜色; unit 单位; code 代码 编码 编号; id identifier number 编号 号码;
description 描述 说明; note remark 备注; level tier 等级 级别 层级; group 组 分组; rule 规则;
limit 限制 上限; target 目标 指标; growth increase grow rise raise raised grew 增长 增加;
decrease decline 减少 下降; frequency 频率; trend 趋势; distribution 分布; report 报告 报表;
data 数据; result 结果; method way mode 方式 方法; reason cause 原因 理由;
source origin 来源 起源 来自; purpose 目的 用途; duplicate repeated 重复;
empty missing blank 空 缺失 空白; atom 原子; molecule 分子; element 元素; bond 化学键 键;
compound 化合物; chemical 化学; toxicology toxic 毒性 毒理; carcinogenic 致癌; gene 基因;
protein 蛋白质; cell 细胞; sample specimen 样本 样品; experiment 实验; law 法律 法规;
court 法院 法庭; lawyer attorney 律师; crime criminal 犯罪 罪案; police 警察; prison jail 监狱;
vote ballot 投票 选票; election 选举; candidate 候选人; party 党 政党 聚会; government 政府;
military army 军队 军事; war 战争; battle 战役; ship vessel boat 船 船舶 船只; museum 博物馆;
exhibition exhibit 展览 展会; painting 画 绘画; ceremony 典礼; festival 节日; church 教堂;
charity donation donate 捐赠 慈善 捐款; volunteer 志愿者; neighbourhood neighborhood 社区 街区;
checkin 签到; business 商业 商铺 业务; sales 销售; hospitality 款待; geography geographic 地理;
"""


@cache
def senses() -> Mapping[str, tuple[str, ...]]:
    """Each word, case-folded and in the singular, with the names of the groups that have it."""
    found: dict[str, dict[str, None]] = {}
    for group in _GROUPS.split(";"):
        names = group.split()
        for word in names:
            found.setdefault(word, {})[names[0]] = None
    return {word: tuple(names) for word, names in found.items()}
